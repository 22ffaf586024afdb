package dev.weighlock.batch;

import java.io.StringWriter;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * The stored form of a context: {@code {"format":1,"values":{...}}}. Strings, booleans, null, arrays and 32-bit
 * integers are themselves; every other value is an object with one member, its type: {@code {"long":"5"}},
 * {@code {"map":{...}}}.
 */
final class ContextJson {
    static final int HARD_MAX_BYTES = 1024 * 1024;

    private static final int FORMAT = 1;
    private static final JsonFactory JSON = new JsonFactory();
    private static final String EMPTY = written(Map.of());

    private ContextJson() {}

    static String write(Map<String, @Nullable Object> values) {
        return values.isEmpty() ? EMPTY : written(values);
    }

    private static String written(Map<String, @Nullable Object> values) {
        var out = new StringWriter();
        try (var json = JSON.createGenerator(ObjectWriteContext.empty(), out)) {
            json.writeStartObject();
            json.writeNumberProperty("format", FORMAT);
            json.writeName("values");
            writeMembers(json, values);
            json.writeEndObject();
        }
        return checkSize(out.toString());
    }

    private static void writeMembers(JsonGenerator json, Map<?, ?> values) {
        json.writeStartObject();
        values.forEach((key, value) -> {
            json.writeName((String) key);
            writeValue(json, value);
        });
        json.writeEndObject();
    }

    private static void writeValue(JsonGenerator json, @Nullable Object value) {
        switch (value) {
            case null -> json.writeNull();
            case String s -> json.writeString(s);
            case Boolean b -> json.writeBoolean(b);
            case Integer i -> json.writeNumber(i);
            case Long l -> writeTyped(json, "long", l.toString());
            case Double d -> writeTyped(json, "double", d.toString());
            case BigDecimal d -> writeTyped(json, "decimal", d.toString());
            case Instant i -> writeTyped(json, "instant", i.toString());
            case List<?> list -> {
                json.writeStartArray();
                list.forEach(element -> writeValue(json, element));
                json.writeEndArray();
            }
            case Map<?, ?> map -> {
                json.writeStartObject();
                json.writeName("map");
                writeMembers(json, map);
                json.writeEndObject();
            }
            default -> throw new IllegalStateException("not a context value: " + value.getClass());
        }
    }

    private static void writeTyped(JsonGenerator json, String type, String text) {
        json.writeStartObject();
        json.writeStringProperty(type, text);
        json.writeEndObject();
    }

    static Map<String, @Nullable Object> read(String text) {
        checkSize(text);
        try (var json = JSON.createParser(ObjectReadContext.empty(), text)) {
            expect(json.nextToken() == JsonToken.START_OBJECT, "the envelope is not an object");
            expect("format".equals(json.nextName()), "the envelope does not begin with its format");
            expect(json.nextToken() == JsonToken.VALUE_NUMBER_INT, "the format is not a number");
            expect(json.getIntValue() == FORMAT, "format " + json.getString() + " is not known to this program");
            expect("values".equals(json.nextName()), "the envelope has no values");
            expect(json.nextToken() == JsonToken.START_OBJECT, "the values are not an object");
            return readMembers(json, "", 1);
        } catch (JacksonException e) {
            throw new BatchException(BatchError.UNKNOWN_FORMAT, "a stored context is not valid JSON", e);
        }
    }

    private static Map<String, @Nullable Object> readMembers(JsonParser json, String path, int depth) {
        expect(depth <= ContextValues.MAX_DEPTH, "nested deeper than 16, at " + path);
        var values = new LinkedHashMap<String, @Nullable Object>();
        for (var key = json.nextName(); key != null; key = json.nextName()) {
            json.nextToken();
            values.put(key, readValue(json, path + "/" + key, depth));
        }
        return values;
    }

    private static @Nullable Object readValue(JsonParser json, String path, int depth) {
        return switch (json.currentToken()) {
            case VALUE_NULL -> null;
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_STRING -> json.getString();
            case VALUE_NUMBER_INT -> json.getIntValue();
            case START_ARRAY -> readList(json, path, depth + 1);
            case START_OBJECT -> readTyped(json, path, depth);
            default -> throw unknown("a value of unknown kind, at " + path);
        };
    }

    private static List<@Nullable Object> readList(JsonParser json, String path, int depth) {
        expect(depth <= ContextValues.MAX_DEPTH, "nested deeper than 16, at " + path);
        var values = new ArrayList<@Nullable Object>();
        while (json.nextToken() != JsonToken.END_ARRAY) {
            values.add(readValue(json, path + "/" + values.size(), depth));
        }
        return values;
    }

    private static Object readTyped(JsonParser json, String path, int depth) {
        var type = json.nextName();
        json.nextToken();
        Object value =
                "map".equals(type) ? readMembers(json, path, depth + 1) : readScalar(type, json.getString(), path);
        expect(json.nextToken() == JsonToken.END_OBJECT, "a typed value with several members, at " + path);
        return value;
    }

    private static Object readScalar(@Nullable String type, String text, String path) {
        try {
            return switch (type) {
                case "long" -> Long.valueOf(text);
                case "double" -> Double.valueOf(text);
                case "decimal" -> new BigDecimal(text);
                case "instant" -> Instant.parse(text);
                case null, default -> throw unknown("the type \"" + type + "\", at " + path);
            };
        } catch (NumberFormatException | DateTimeException e) {
            throw new BatchException(BatchError.UNKNOWN_FORMAT, "not a " + type + ", at " + path, e);
        }
    }

    private static String checkSize(String json) {
        if (json.length() > HARD_MAX_BYTES || json.getBytes(StandardCharsets.UTF_8).length > HARD_MAX_BYTES) {
            throw new BatchException(BatchError.TOO_LARGE, "a context is limited to 1 MiB of JSON");
        }
        return json;
    }

    private static void expect(boolean holds, String what) {
        if (!holds) {
            throw unknown(what);
        }
    }

    private static BatchException unknown(String what) {
        return new BatchException(BatchError.UNKNOWN_FORMAT, "a stored context cannot be read: " + what);
    }
}
