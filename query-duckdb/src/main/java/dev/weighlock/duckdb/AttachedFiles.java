package dev.weighlock.duckdb;

import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.FactKey;
import dev.weighlock.query.Facts;
import dev.weighlock.query.QueryException;
import dev.weighlock.query.engine.DataSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** Attaches data sets to an instance that is not closed yet. */
final class AttachedFiles {
    private AttachedFiles() {}

    /**
     * Each by a view, because the name before the point would else be the file's.
     *
     * @throws QueryException DATA_ERROR where a file is no database or has no such table
     */
    static void attach(List<DataSet> sets, Statement statement) throws SQLException {
        if (!sets.isEmpty()) {
            statement.execute("CREATE SCHEMA cache");
        }
        for (var set : sets) {
            attach(set, statement);
        }
    }

    private static void attach(DataSet set, Statement statement) {
        var database = SqlLiteral.name("data_set_" + set.name());
        var table = SqlLiteral.name(set.name());
        try {
            statement.execute("ATTACH " + SqlLiteral.of(set.file()) + " AS " + database + " (TYPE duckdb, READ_ONLY)");
            statement.execute("CREATE VIEW cache." + table + " AS FROM " + database + "." + table);
        } catch (SQLException e) {
            throw new QueryException(
                    ErrorCode.DATA_ERROR,
                    "attach",
                    "the data set " + set.name() + " is not in " + set.file()
                            + ": a database file of DuckDB with a table " + set.name() + " is expected ("
                            + String.valueOf(e.getMessage()).lines().findFirst().orElse("") + ")",
                    Facts.of(FactKey.PATH, set.file()),
                    e);
        }
    }
}
