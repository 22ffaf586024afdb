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
 * takes, a FLOAT there with the digits of a DOUBLE, every HUGEINT of a Parquet file, so every sum of integers, as a DOUBLE, and
 * into Arrow its own bytes of a BIT or BIGNUM and a time without its zone.
 */
final class OutputColumns {
    private OutputColumns() {}

    /** What is written in place of a column. */
    private interface Expression {
        /** @return null where the column stays as it is */
        @Nullable
        String of(String type, String name);
    }

    /** The query, wrapped where it has such columns. */
    static String select(DuckDbSession session, PlannedStatement planned, FileOutput output) throws SQLException {
        return output instanceof FileOutput.Csv
                ? planned.sql()
                : select(session, planned, (type, name) -> expression(type, name, output));
    }

    /** The query whose rows become Arrow vectors, wrapped where it has columns that Arrow lacks. */
    static String forArrow(DuckDbSession session, PlannedStatement planned) throws SQLException {
        return select(session, planned, OutputColumns::arrow);
    }

    private static String select(DuckDbSession session, PlannedStatement planned, Expression expressions)
            throws SQLException {
        List<String> select = new ArrayList<>();
        List<String> names = new ArrayList<>();
        var changed = false;
        for (var column : columns(session, planned)) {
            var name = "c" + names.size();
            var expression = expressions.of(column.type(), name);
            changed |= expression != null;
            select.add((expression == null ? name : expression) + " AS " + quoted(column.name()));
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

    private static @Nullable String expression(String type, String name, FileOutput output) {
        return switch (output) {
            case FileOutput.JsonLines _ -> JsonColumn.of(type, name);
            case FileOutput.Parquet _ -> isHuge(type) ? huge(name) : null;
            case FileOutput.Csv _ -> null;
        };
    }

    private static @Nullable String arrow(String type, String name) {
        return switch (type) {
            case "BIT", "BIGNUM", "TIME WITH TIME ZONE" -> "CAST(" + name + " AS VARCHAR)";
            default -> isHuge(type) ? huge(name) : null;
        };
    }

    private static String huge(String name) {
        return "CAST(" + name + " AS DECIMAL(38, 0))";
    }

    private static boolean isHuge(String type) {
        return type.equals("HUGEINT") || type.equals("UHUGEINT");
    }

    private static String quoted(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }
}
