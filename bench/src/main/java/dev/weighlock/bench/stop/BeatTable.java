package dev.weighlock.bench.stop;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** The beats as the watcher reads them. For one thread. */
final class BeatTable implements AutoCloseable {
    private static final long PAUSE_NANOS = 20_000_000;

    private final Connection connection;

    BeatTable(Ground ground) throws SQLException {
        connection = ground.connectForBeats();
        execute("CREATE TABLE IF NOT EXISTS beat (key TEXT NOT NULL, at BIGINT NOT NULL)");
    }

    void clear() throws SQLException {
        execute("DELETE FROM beat");
    }

    private void execute(String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** The instant of the last beat, when none came for so long. */
    long awaitSilence(Duration quiet) throws SQLException {
        long last = number("SELECT coalesce(max(at), 0) FROM beat");
        long since = System.nanoTime();
        while (System.nanoTime() - since < quiet.toNanos()) {
            LockSupport.parkNanos(PAUSE_NANOS);
            long now = number("SELECT coalesce(max(at), 0) FROM beat");
            if (now != last) {
                last = now;
                since = System.nanoTime();
            }
        }
        return last;
    }

    /** How many are later than an instant. */
    long after(long micros) throws SQLException {
        return number("SELECT count(*) FROM beat WHERE at > " + micros);
    }

    private long number(String sql) throws SQLException {
        try (var statement = connection.createStatement();
                var row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
