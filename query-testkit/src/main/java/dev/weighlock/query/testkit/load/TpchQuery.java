package dev.weighlock.query.testkit.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * One of the 22 TPC-H queries with the answer at scale 0.01, both as the data generator's package bundles them.
 *
 * @param answer the cells of each row, in order
 */
public record TpchQuery(int number, String sql, List<List<String>> answer) {
    private static final Pattern VIEW = Pattern.compile("(?s)CREATE OR REPLACE VIEW (\\w+) AS\\s(.*?);(.*)");

    public TpchQuery {
        answer = List.copyOf(answer);
    }

    /** In the order of their numbers. */
    public static Stream<TpchQuery> all() {
        return IntStream.rangeClosed(1, 22).mapToObj(TpchQuery::of);
    }

    private static TpchQuery of(int number) {
        var answer = resource(number, "result")
                .lines()
                .filter(line -> !line.startsWith("--"))
                .map(TpchQuery::cells)
                .toList();
        return new TpchQuery(number, statement(resource(number, "sql")), answer);
    }

    /** One statement: a view, which one query has, becomes a common table expression. */
    private static String statement(String text) {
        var sql = text.lines().filter(line -> !line.startsWith("--")).collect(Collectors.joining("\n"));
        var view = VIEW.matcher(sql);
        if (view.matches()) {
            sql = "WITH " + view.group(1) + " AS (" + view.group(2) + ")\n" + view.group(3);
        }
        return sql.replace(";", "").strip();
    }

    /** Some lines end with a delimiter, some do not. */
    private static List<String> cells(String line) {
        var text = line.endsWith("|") ? line.substring(0, line.length() - 1) : line;
        return Arrays.asList(text.split("\\|", -1));
    }

    private static String resource(int number, String kind) {
        var name = "/io/trino/tpch/queries/q" + number + "." + kind;
        try (var in = TpchQuery.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("no resource " + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String toString() {
        return "Q" + number;
    }
}
