package dev.weighlock.duckdb;

import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.QueryException;
import dev.weighlock.query.engine.PlannedStatement;
import dev.weighlock.query.engine.ResultColumn;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.duckdb.DuckDBPreparedStatement;

/** Finds out the columns of a statement before it runs. */
final class ResultColumns {
    private static final String UNRESOLVED = "UNKNOWN";

    private ResultColumns() {}

    /** A mark without a type, such as text, leaves all columns open until it is bound; then the statement is described. */
    static List<ResultColumn> of(DuckDbSession session, DuckDBPreparedStatement statement, PlannedStatement planned)
            throws SQLException {
        var columns = new ArrayList<ResultColumn>();
        var metaData = statement.getMetaData();
        for (var i = 1; i <= metaData.getColumnCount(); i++) {
            columns.add(new ResultColumn(metaData.getColumnName(i), metaData.getColumnTypeName(i)));
        }
        var open = columns.stream().anyMatch(column -> column.type().equals(UNRESOLVED));
        return open ? describe(session, planned) : List.copyOf(columns);
    }

    private static List<ResultColumn> describe(DuckDbSession session, PlannedStatement planned) throws SQLException {
        var columns = new ArrayList<ResultColumn>();
        try (var statement = session.prepare("DESCRIBE " + planned.sql(), planned.values());
                var result = statement.query()) {
            while (result.nextChunk()) {
                var chunk = result.chunk();
                for (var row = 0L; row < chunk.rowCount(); row++) {
                    columns.add(new ResultColumn(
                            chunk.vector(0).getString(row), chunk.vector(1).getString(row)));
                }
            }
            var error = DriverInternals.error(result);
            if (error.isPresent()) {
                throw error.get();
            }
        }
        if (columns.isEmpty()) {
            throw new QueryException(ErrorCode.ENGINE_ERROR, "execute", "the engine does not name the columns");
        }
        return List.copyOf(columns);
    }
}
