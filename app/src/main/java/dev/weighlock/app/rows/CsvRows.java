package dev.weighlock.app.rows;

import dev.weighlock.query.engine.ResultColumn;
import dev.weighlock.query.engine.Row;
import dev.weighlock.query.engine.SqlValueText;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Separated values with a header; a null is nothing, an empty text is two quotes. */
final class CsvRows implements RowPrinter {
    private final PrintStream out;

    CsvRows(PrintStream out) {
        this.out = out;
    }

    @Override
    public void begin(List<ResultColumn> columns) {
        print(columns.stream().map(column -> cell(column.name())).collect(Collectors.joining(",")));
    }

    @Override
    public void row(Row row) {
        print(row.values().stream().map(CsvRows::cell).collect(Collectors.joining(",")));
    }

    @Override
    public void end(@Nullable Map<String, Object> account) {
        out.flush();
    }

    private void print(String line) {
        out.print(line);
        out.print('\n');
    }

    private static String cell(@Nullable Object value) {
        if (value == null) {
            return "";
        }
        String text = SqlValueText.of(value);
        boolean plain = !text.isEmpty() && text.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
        return plain ? text : '"' + text.replace("\"", "\"\"") + '"';
    }
}
