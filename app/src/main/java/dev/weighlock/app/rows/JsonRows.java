package dev.weighlock.app.rows;

import dev.weighlock.app.terminal.Json;
import dev.weighlock.query.engine.ResultColumn;
import dev.weighlock.query.engine.Row;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One JSON object a line. */
final class JsonRows implements RowPrinter {
    private final PrintStream out;

    JsonRows(PrintStream out) {
        this.out = out;
    }

    @Override
    public void begin(List<ResultColumn> columns) {}

    @Override
    public void row(Row row) {
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        for (int column = 0; column < row.columns().size(); column++) {
            values.put(row.columns().get(column).name(), Values.json(row.value(column)));
        }
        out.print(Json.text(values));
        out.print('\n');
    }

    @Override
    public void end(@Nullable Map<String, Object> account) {
        out.flush();
    }
}
