package dev.weighlock.batch.jdbc.target;

import dev.weighlock.batch.chunk.ChunkTarget;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Properties;
import java.util.concurrent.Semaphore;
import org.sqlite.JDBC;
import org.sqlite.SQLiteConnection;

/**
 * A SQLite file that jobs write to. Its journal mode stays as its owner chose it.
 *
 * <p>Thread-safe. {@code writing} lets one of this process's targets write at a time, in order; it belongs to an open
 * transaction, not to a thread.
 */
final class SqliteDatabase extends Database {
    static final String PREFIX = "sqlite:";

    private static final int BUSY_MILLIS = 10_000;

    private final Semaphore writing = new Semaphore(1, true);

    SqliteDatabase(DatabaseSettings settings) {
        super(settings);
    }

    @Override
    public SQLiteConnection connect() throws SQLException {
        var connection = JDBC.createConnection("jdbc:" + settings().url(), new Properties());
        try (var statement = connection.createStatement()) {
            connection.setBusyTimeout(BUSY_MILLIS);
            statement.executeUpdate("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON");
            return connection;
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    @Override
    public ChunkTarget chunkTarget() {
        try {
            return new SqliteTarget(this, writing, writer());
        } catch (SQLException e) {
            throw unavailable("cannot be opened", e);
        }
    }

    /** The driver opens no transactions of its own on it; waiting for other processes is the target's own. */
    SQLiteConnection writer() throws SQLException {
        var connection = connect();
        connection.setBusyTimeout(0);
        connection.getConnectionConfig().setAutoCommit(false);
        return connection;
    }

    static boolean hasCheckpoints(Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var row = statement.executeQuery(
                        "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'weighlock_checkpoint'")) {
            return row.next();
        }
    }

    @Override
    boolean copies() {
        return false;
    }

    /** Nothing is kept open. */
    @Override
    public void close() {}
}
