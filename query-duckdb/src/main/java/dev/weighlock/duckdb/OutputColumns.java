package dev.weighlock.duckdb;

import dev.weighlock.query.engine.FileOutput;
import dev.weighlock.query.engine.PlannedStatement;
import dev.weighlock.query.engine.ResultColumn;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Columns that a file's format cannot hold as they are. The engine alone would write {@code NaN} into JSON, which no reader
 * takes, a FLOAT there with the digits of a DOUBLE, and every HUGEINT of a Parquet file, so every sum of integers, as a DOUBLE.
 */
final class OutputColumns {
    private static final String JSON_DOUBLE =
            "CASE WHEN isfinite(%1$s) THEN to_json(%1$s) ELSE to_json(CAST(%1$s AS VARCHAR)) END";
    private static final String JSON_FLOAT = "CASE WHEN isfinite(%1$s)"
            + " THEN to_json(CAST(CAST(%1$s AS VARCHAR) AS DOUBLE)) ELSE to_json(CAST(%1$s AS VARCHAR)) END";
    private static final String PARQUET_HUGE = "CAST(%s AS DECIMAL(38, 0))";

    private OutputColumns() {}

    /** The query, wrapped where it has such columns. */
    static String select(DuckDbSession session, PlannedStatement planned, FileOutput output) throws SQLException {
        if (output instanceof FileOutput.Csv) {
            return planned.sql();
        }
        List<String> select = new ArrayList<>();
        List<String> names = new ArrayList<>();
        var changed = false;
        for (var column : columns(session, planned)) {
            var name = "c" + names.size();
            var expression = expression(column.type(), output);
            changed |= expression != null;
            select.add((expression == null ? name : expression.formatted(name)) + " AS " + quoted(column.name()));
            names.add(name);
        }
        return changed
                ? "SELECT " + String.join(", ", select) + " FROM (" + planned.sql() + "\n) AS q("
                        + String.join(", ", names) + ")"
                : planned.sql();
    }

    private static List<ResultColumn> columns(DuckDbSession session, PlannedStatement planned) throws SQLException {
        try (var statement = session.prepare(planned.sql(), planned.values())) {
            return ResultColumns.of(session, statement, planned);
        }
    }

    private static @Nullable String expression(String type, FileOutput output) {
        return switch (type) {
            case "DOUBLE" -> output instanceof FileOutput.JsonLines ? JSON_DOUBLE : null;
            case "FLOAT" -> output instanceof FileOutput.JsonLines ? JSON_FLOAT : null;
            case "HUGEINT", "UHUGEINT" -> output instanceof FileOutput.Parquet ? PARQUET_HUGE : null;
            default -> null;
        };
    }

    private static String quoted(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }
}
