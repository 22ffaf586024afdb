package dev.weighlock.app.rows;

import dev.weighlock.app.terminal.Json;
import java.math.BigDecimal;
import java.util.Collection;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A value of a row as text, and as what JSON can hold. */
final class Values {
    private Values() {}

    /** The text of a value that is not null. */
    static String text(Object value) {
        return switch (value) {
            case BigDecimal number -> number.toPlainString();
            case byte[] bytes -> "\\x" + HexFormat.of().formatHex(bytes);
            case Collection<?> values -> Json.text(json(values));
            case Map<?, ?> map -> Json.text(json(map));
            default -> value.toString();
        };
    }

    /** Numbers, booleans, lists and maps stay what they are; numbers that JSON lacks and everything else become texts. */
    static @Nullable Object json(@Nullable Object value) {
        return switch (value) {
            case null -> null;
            case Float number -> Float.isFinite(number) ? Double.parseDouble(number.toString()) : number.toString();
            case Double number -> Double.isFinite(number) ? number : number.toString();
            case Byte number -> number.intValue();
            case Short number -> number.intValue();
            case Number number -> number;
            case Boolean flag -> flag;
            case Collection<?> values -> list(values);
            case Map<?, ?> map -> map(map);
            default -> text(value);
        };
    }

    private static List<@Nullable Object> list(Collection<?> values) {
        List<@Nullable Object> list = new java.util.ArrayList<>();
        values.forEach(value -> list.add(json(value)));
        return list;
    }

    private static Map<String, @Nullable Object> map(Map<?, ?> source) {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        source.forEach((name, value) -> map.put(String.valueOf(name), json(value)));
        return map;
    }
}
