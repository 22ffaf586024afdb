package dev.weighlock.app.rows;

import dev.weighlock.app.terminal.Json;
import dev.weighlock.query.engine.ResultColumn;
import dev.weighlock.query.engine.Row;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One JSON document, printed as the rows come: it is whole only when the result is. */
final class JsonDocument implements RowPrinter {
    private final PrintStream out;
    private boolean first = true;

    JsonDocument(PrintStream out) {
        this.out = out;
    }

    @Override
    public void begin(List<ResultColumn> columns) {
        out.print("{\"schema\":\"weighlock.rows/1\",\"columns\":");
        out.print(Json.text(columns.stream().map(JsonDocument::column).toList()));
        out.print(",\"rows\":[");
    }

    private static Map<String, @Nullable Object> column(ResultColumn column) {
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        values.put("name", column.name());
        values.put("type", column.type());
        return values;
    }

    @Override
    public void row(Row row) {
        out.print(first ? "" : ",");
        first = false;
        out.print(Json.text(row.values().stream().map(Values::json).toList()));
    }

    @Override
    public void end(@Nullable Map<String, Object> account) {
        out.print("]");
        if (account != null) {
            out.print(",\"account\":" + Json.text(account));
        }
        out.print("}\n");
        out.flush();
    }
}
