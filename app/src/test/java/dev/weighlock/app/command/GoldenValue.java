package dev.weighlock.app.command;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** One line of the golden file. */
record GoldenValue(String expression, String type, String text, String json) {
    static List<GoldenValue> all() throws IOException {
        try (InputStream in = Objects.requireNonNull(GoldenValue.class.getResourceAsStream("/golden/values.tsv"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(line -> line.split("\t", -1))
                    .map(cells -> new GoldenValue(cells[0], cells[1], cells[2], cells[3]))
                    .toList();
        }
    }

    /** One query of all expressions, as columns c0, c1, …. */
    static String sql(List<GoldenValue> values) {
        return IntStream.range(0, values.size())
                .mapToObj(column -> values.get(column).expression() + " AS c" + column)
                .collect(Collectors.joining(",\n", "SELECT ", "\nFROM range(5) AS r(x)"));
    }

    boolean isNull() {
        return json.equals("null");
    }

    /** The cell between separators: a null is nothing. */
    String csv() {
        if (isNull()) {
            return "";
        }
        String cell = text.replace("\\t", "\t");
        boolean plain = !cell.isEmpty() && cell.chars().noneMatch(c -> c == ',' || c == '"');
        return plain ? cell : '"' + cell.replace("\"", "\"\"") + '"';
    }
}
