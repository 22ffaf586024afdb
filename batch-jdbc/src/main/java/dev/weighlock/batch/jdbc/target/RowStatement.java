package dev.weighlock.batch.jdbc.target;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;
import dev.weighlock.batch.stop.StopToken;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/** The statement of one layout on one kind of database. Immutable; bound to no connection. */
sealed interface RowStatement {
    /** @param rollback cancels the statement that runs */
    void write(Connection connection, List<? extends List<? extends @Nullable Object>> rows, StopToken rollback)
            throws SQLException;

    static RowStatement of(Connection connection, RowLayout layout) throws SQLException {
        var table = TargetTable.find(connection, layout.table());
        var columns = layout.columns().stream().map(table::column).toList();
        boolean postgres = connection.isWrapperFor(PGConnection.class);
        if (layout.mode() == WriteMode.COPY) {
            if (!postgres) {
                throw new BatchException(
                        BatchError.INVALID_DEFINITION, "mode copy works on PostgreSQL only; take insert");
            }
            return new Copy(table.quotedName(), columns);
        }
        var key = layout.key().stream().map(table::column).toList();
        return new Batch(sql(table, columns, key), columns, postgres ? ValueBinder.POSTGRES : ValueBinder.SQLITE);
    }

    private static String sql(TargetTable table, List<TargetTable.Column> columns, List<TargetTable.Column> key) {
        var insert = "INSERT INTO " + table.quotedName() + " (" + names(columns) + ") VALUES ("
                + columns.stream().map(column -> "?").collect(Collectors.joining(", ")) + ")";
        if (key.isEmpty()) {
            return insert;
        }
        var updates = columns.stream()
                .filter(column -> !key.contains(column))
                .map(column -> column.quoted() + " = excluded." + column.quoted())
                .collect(Collectors.joining(", "));
        return insert + " ON CONFLICT (" + names(key) + ") DO "
                + (updates.isEmpty() ? "NOTHING" : "UPDATE SET " + updates);
    }

    static String names(List<TargetTable.Column> columns) {
        return columns.stream().map(TargetTable.Column::quoted).collect(Collectors.joining(", "));
    }

    /** One prepared statement, all rows in one batch. */
    record Batch(String sql, List<TargetTable.Column> columns, ValueBinder binder) implements RowStatement {
        @Override
        public void write(
                Connection connection, List<? extends List<? extends @Nullable Object>> rows, StopToken rollback)
                throws SQLException {
            try (var statement = connection.prepareStatement(sql)) {
                for (var row : rows) {
                    if (row.size() != columns.size()) {
                        throw JdbcWriter.wrongWidth(columns.size(), row.size());
                    }
                    for (int i = 0; i < columns.size(); i++) {
                        binder.bind(statement, i + 1, columns.get(i), row.get(i));
                    }
                    statement.addBatch();
                }
                execute(statement, rollback);
            }
        }
    }

    private static void execute(PreparedStatement statement, StopToken rollback) throws SQLException {
        try (var _ = new CancelAtStop(rollback, statement::cancel)) {
            statement.executeBatch();
        }
    }

    /** PostgreSQL's COPY in its text form. */
    record Copy(String table, List<TargetTable.Column> columns) implements RowStatement {
        @Override
        public void write(
                Connection connection, List<? extends List<? extends @Nullable Object>> rows, StopToken rollback)
                throws SQLException {
            var server = connection.unwrap(PGConnection.class);
            try (var _ = new CancelAtStop(rollback, server::cancelQuery)) {
                CopyText.write(connection, "COPY " + table + " (" + names(columns) + ") FROM STDIN", columns, rows);
            }
        }
    }
}
