package dev.weighlock.jobs.process;

import dev.weighlock.jobs.csv.CsvColumn;
import dev.weighlock.jobs.csv.CsvRow;
import dev.weighlock.jobs.file.ProcessKeys;
import dev.weighlock.jobs.file.SqlSource;
import dev.weighlock.jobs.value.ValueText;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * The statement that a chunk's expressions make: the items come in as one bound text, so that no value of theirs is ever
 * part of the SQL; each line that keeps an item gives its number and the new values.
 */
final class ExpressionSql {
    /** The bound name of the chunk's items. */
    static final String ITEMS = "weighlock_items";

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private ExpressionSql() {}

    /** @param text an expression with its checked identifiers */
    static String of(List<CsvColumn> schema, ProcessKeys.Expressions keys, Function<SqlSource, String> text) {
        String columns = IntStream.range(0, schema.size())
                .mapToObj(i -> ", CAST(u.c%d AS %s) AS %s"
                        .formatted(i, schema.get(i).type(), quoted(schema.get(i).name())))
                .collect(Collectors.joining());
        // The line ends keep a comment at the end of an expression from swallowing the bracket.
        String values = keys.set().entrySet().stream()
                .map(entry -> ", (" + text.apply(entry.getValue()) + "\n) AS " + quoted(entry.getKey()))
                .collect(Collectors.joining());
        String where = keys.where()
                .map(condition -> " WHERE (" + text.apply(condition) + "\n)")
                .orElse("");
        return "SELECT weighlock_n" + values + " FROM (SELECT CAST(u.n AS BIGINT) AS weighlock_n" + columns
                + " FROM (SELECT unnest(from_json(CAST(:" + ITEMS + " AS JSON), '" + structure(schema.size())
                + "')) AS u)) AS item" + where + " ORDER BY weighlock_n";
    }

    private static String structure(int columns) {
        return Stream.concat(Stream.of("n"), IntStream.range(0, columns).mapToObj(i -> "c" + i))
                .map("\"%s\":\"VARCHAR\""::formatted)
                .collect(Collectors.joining(",", "[{", "}]"));
    }

    private static String quoted(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }

    static String items(List<CsvRow> items) {
        List<Map<String, @Nullable String>> all = IntStream.range(0, items.size())
                .mapToObj(n -> item(n, items.get(n).values()))
                .toList();
        return JSON.writeValueAsString(all);
    }

    private static Map<String, @Nullable String> item(int number, List<? extends @Nullable Object> values) {
        Map<String, @Nullable String> json = new LinkedHashMap<>();
        json.put("n", Integer.toString(number));
        for (int i = 0; i < values.size(); i++) {
            json.put("c" + i, text(values.get(i)));
        }
        return json;
    }

    private static @Nullable String text(@Nullable Object value) {
        return switch (value) {
            case null -> null;
            case LocalTime time -> DateTimeFormatter.ISO_LOCAL_TIME.format(time);
            case LocalDateTime time -> DateTimeFormatter.ISO_LOCAL_DATE_TIME.format(time);
            default -> ValueText.of(value);
        };
    }
}
