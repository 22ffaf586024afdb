package dev.weighlock.jobs.table;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;
import dev.weighlock.batch.chunk.ChunkContext;
import dev.weighlock.batch.chunk.ItemWriter;
import dev.weighlock.batch.jdbc.target.Database;
import dev.weighlock.batch.jdbc.target.JdbcWriter;
import dev.weighlock.batch.step.StepContext;
import dev.weighlock.batch.stop.StopToken;
import dev.weighlock.jobs.csv.CsvRow;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * Writes a chunk's rows and commits them itself, before the repository hears of it: a crash in between writes them
 * again. Needs no checkpoint table. Of one step or partition attempt.
 */
final class OwnCommits implements ItemWriter<CsvRow> {
    private final Database database;
    private final JdbcWriter<CsvRow> rows;

    OwnCommits(Database database, JdbcWriter<CsvRow> rows) {
        this.database = database;
        this.rows = rows;
    }

    @Override
    public void write(List<CsvRow> items, ChunkContext chunk) throws SQLException {
        try (Connection connection = database.connect()) {
            connection.setAutoCommit(false);
            try {
                rows.write(items, new Committing(chunk, connection));
                connection.commit();
            } catch (SQLException | RuntimeException failure) {
                connection.rollback();
                throw failure;
            } finally {
                connection.setAutoCommit(true);
            }
        }
    }

    /** The chunk with a transaction of our own. */
    private record Committing(ChunkContext chunk, Connection connection) implements ChunkContext {
        @Override
        public StepContext step() {
            return chunk.step();
        }

        @Override
        public long sequence() {
            return chunk.sequence();
        }

        @Override
        public StopToken rollback() {
            return chunk.rollback();
        }

        @Override
        public <T> T transaction(Class<T> type) {
            if (!type.isInstance(connection)) {
                throw new BatchException(
                        BatchError.DELIVERY_UNAVAILABLE, "there is no transaction of type " + type.getSimpleName());
            }
            return type.cast(connection);
        }
    }
}
