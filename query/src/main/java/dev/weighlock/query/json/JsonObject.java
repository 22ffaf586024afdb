package dev.weighlock.query.json;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * One JSON object that was read whole; its arrays hold objects. A field of the wrong type or a missing one is an
 * {@link IllegalArgumentException}.
 */
public final class JsonObject {
    private static final JsonFactory FACTORY = new JsonFactory();

    private final Map<String, Object> fields;

    private JsonObject(Map<String, Object> fields) {
        this.fields = fields;
    }

    /** Reads a text that is one JSON object. */
    public static JsonObject parse(String json) {
        try (var parser = FACTORY.createParser(ObjectReadContext.empty(), json)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new IllegalArgumentException("not a JSON object");
            }
            return readObject(parser);
        }
    }

    /** This object as JSON text. */
    public String toJson() {
        return JsonRow.write(this::copyTo);
    }

    private void copyTo(JsonRow out) {
        fields.forEach((name, value) -> {
            switch (value) {
                case Boolean flag -> out.flag(name, flag);
                case Number number -> out.number(name, number);
                case JsonObject object -> out.object(name, object, (row, inner) -> inner.copyTo(row));
                case List<?> list -> out.objects(name, objects(name), (row, inner) -> inner.copyTo(row));
                default -> out.text(name, value);
            }
        });
    }

    public String text(String name) {
        return field(name, String.class).orElseThrow(() -> missing(name));
    }

    public long number(String name) {
        return field(name, Number.class).orElseThrow(() -> missing(name)).longValue();
    }

    public double fraction(String name) {
        return field(name, Number.class).orElseThrow(() -> missing(name)).doubleValue();
    }

    public boolean flag(String name) {
        return field(name, Boolean.class).orElseThrow(() -> missing(name));
    }

    public <E extends Enum<E>> E constant(String name, Class<E> type) {
        return Enum.valueOf(type, text(name));
    }

    public JsonObject object(String name) {
        return field(name, JsonObject.class).orElseThrow(() -> missing(name));
    }

    public @Nullable String textOrNull(String name) {
        return field(name, String.class).orElse(null);
    }

    public @Nullable Long numberOrNull(String name) {
        return field(name, Number.class).map(Number::longValue).orElse(null);
    }

    public <E extends Enum<E>> @Nullable E constantOrNull(String name, Class<E> type) {
        return field(name, String.class).map(text -> Enum.valueOf(type, text)).orElse(null);
    }

    /** What {@code reader} makes of an object field, null when it is absent. */
    public <T> @Nullable T objectOrNull(String name, Function<JsonObject, T> reader) {
        return field(name, JsonObject.class).map(reader).orElse(null);
    }

    /** The objects of an array field; an absent one is empty. */
    public List<JsonObject> objects(String name) {
        return field(name, List.class).stream()
                .flatMap(list -> ((List<?>) list).stream())
                .map(JsonObject.class::cast)
                .toList();
    }

    private <T> Optional<T> field(String name, Class<T> type) {
        var value = fields.get(name);
        if (value != null && !type.isInstance(value)) {
            throw new IllegalArgumentException("field " + name + " is not a " + type.getSimpleName());
        }
        return Optional.ofNullable(value).map(type::cast);
    }

    private static IllegalArgumentException missing(String name) {
        return new IllegalArgumentException("field " + name + " is missing");
    }

    private static JsonObject readObject(JsonParser parser) {
        Map<String, Object> fields = new LinkedHashMap<>();
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            var name = parser.currentName();
            var value = readValue(parser, parser.nextToken());
            if (value != null) {
                fields.put(name, value);
            }
        }
        return new JsonObject(fields);
    }

    private static @Nullable Object readValue(JsonParser parser, JsonToken token) {
        return switch (token) {
            case START_OBJECT -> readObject(parser);
            case START_ARRAY -> readArray(parser);
            case VALUE_STRING -> parser.getString();
            case VALUE_NUMBER_INT -> parser.getLongValue();
            case VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NULL -> null;
            default -> throw new IllegalArgumentException("unexpected " + token);
        };
    }

    private static List<Object> readArray(JsonParser parser) {
        List<Object> values = new ArrayList<>();
        for (var token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
            var value = readValue(parser, token);
            if (value != null) {
                values.add(value);
            }
        }
        return values;
    }
}
