package dev.weighlock.duckdb;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * SQL that makes a value JSON which every reader takes: NaN and infinities, also inside lists, structs and maps, become texts,
 * and a FLOAT that is a column keeps its own digits. Types are read as the engine writes them.
 */
final class JsonColumn {
    private JsonColumn() {}

    /** A field of a struct, its name as a literal. */
    private record Field(String name, String type) {}

    /** @return null where the engine's own JSON will do */
    static @Nullable String of(String type, String value) {
        return type.equals("FLOAT") ? finiteOrText(value, "CAST(" + text(value) + " AS DOUBLE)") : of(type, value, 0);
    }

    private static @Nullable String of(String type, String value, int depth) {
        if (type.equals("DOUBLE") || type.equals("FLOAT")) {
            return finiteOrText(value, value);
        }
        if (type.endsWith("]")) {
            var element = type.substring(0, type.lastIndexOf('['));
            return list(element, type.endsWith("[]") ? value : "CAST(" + value + " AS " + element + "[])", depth);
        }
        if (type.startsWith("STRUCT(")) {
            return struct(type, value, depth);
        }
        return type.startsWith("MAP(") ? map(type, value, depth) : null;
    }

    private static String finiteOrText(String value, String number) {
        return "CASE WHEN isfinite(" + value + ") THEN to_json(" + number + ") ELSE to_json(" + text(value) + ") END";
    }

    private static String text(String value) {
        return "CAST(" + value + " AS VARCHAR)";
    }

    private static @Nullable String list(String element, String value, int depth) {
        var each = "e" + depth;
        var json = of(element, each, depth + 1);
        return json == null
                ? null
                : unlessNull(value, "to_json(list_transform(" + value + ", lambda " + each + ": " + json + "))");
    }

    private static @Nullable String struct(String type, String value, int depth) {
        var parts = new ArrayList<String>();
        var changed = false;
        for (var field : fields(type)) {
            var member = "struct_extract(" + value + ", " + field.name() + ")";
            var json = of(field.type(), member, depth);
            changed |= json != null;
            parts.add(field.name() + ", " + (json == null ? member : json));
        }
        return changed ? unlessNull(value, "json_object(" + String.join(", ", parts) + ")") : null;
    }

    private static @Nullable String map(String type, String value, int depth) {
        var types = parts(type);
        var each = "e" + depth;
        var json = of(types.getLast(), each, depth + 1);
        return json == null
                ? null
                : unlessNull(
                        value,
                        "to_json(map(map_keys(" + value + "), list_transform(map_values(" + value + "), lambda " + each
                                + ": " + json + ")))");
    }

    private static String unlessNull(String value, String json) {
        return "CASE WHEN " + value + " IS NULL THEN NULL ELSE " + json + " END";
    }

    private static List<Field> fields(String type) {
        return parts(type).stream()
                .map(part -> {
                    var end = part.startsWith("\"") ? endOfQuoted(part, 0) : part.indexOf(' ');
                    return new Field(
                            literal(part.substring(0, end)), part.substring(end).strip());
                })
                .toList();
    }

    /** What stands between the outer brackets, cut at its commas. */
    private static List<String> parts(String type) {
        var inner = type.substring(type.indexOf('(') + 1, type.length() - 1);
        var parts = new ArrayList<String>();
        var from = 0;
        var open = 0;
        for (var at = 0; at < inner.length(); at++) {
            switch (inner.charAt(at)) {
                case '"', '\'' -> at = endOfQuoted(inner, at) - 1;
                case '(' -> open++;
                case ')' -> open--;
                case ',' -> {
                    if (open == 0) {
                        parts.add(inner.substring(from, at).strip());
                        from = at + 1;
                    }
                }
                default -> {}
            }
        }
        parts.add(inner.substring(from).strip());
        return parts;
    }

    /** A quote inside is written twice, so the text between two of them is quoted too. */
    private static int endOfQuoted(String text, int from) {
        var quote = text.charAt(from);
        var end = text.indexOf(quote, from + 1) + 1;
        return end < text.length() && text.charAt(end) == quote ? endOfQuoted(text, end) : end;
    }

    private static String literal(String name) {
        return SqlLiteral.of(
                name.startsWith("\"") ? name.substring(1, name.length() - 1).replace("\"\"", "\"") : name);
    }
}
