package dev.weighlock.app.rows;

import dev.weighlock.query.engine.SqlValueText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonReadFeature;

/** Reads the engine's JSON, which may hold {@code NaN}, into maps, lists and values that every JSON reader takes. */
final class NestedJson {
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
            .build();

    private NestedJson() {}

    static @Nullable Object read(String json) {
        try (JsonParser in = FACTORY.createParser(ObjectReadContext.empty(), json)) {
            return value(in, in.nextToken());
        }
    }

    private static @Nullable Object value(JsonParser in, JsonToken token) {
        return switch (token) {
            case START_OBJECT -> object(in);
            case START_ARRAY -> array(in);
            case VALUE_NUMBER_INT -> in.getNumberValue();
            case VALUE_NUMBER_FLOAT -> in.isNaN() ? SqlValueText.of(in.getDoubleValue()) : in.getDecimalValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NULL -> null;
            default -> in.getString();
        };
    }

    private static Map<String, @Nullable Object> object(JsonParser in) {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        for (String name = in.nextName(); name != null; name = in.nextName()) {
            map.put(name, value(in, in.nextToken()));
        }
        return map;
    }

    private static List<@Nullable Object> array(JsonParser in) {
        List<@Nullable Object> list = new ArrayList<>();
        for (JsonToken token = in.nextToken(); token != JsonToken.END_ARRAY; token = in.nextToken()) {
            list.add(value(in, token));
        }
        return list;
    }
}
