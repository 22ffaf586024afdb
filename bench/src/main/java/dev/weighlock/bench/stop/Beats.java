package dev.weighlock.bench.stop;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Rows that working bodies write of themselves, each at the moment it says: what ran when. A table that survives no
 * crash, over connections of its own, so that the sides pay as little as may be for it.
 *
 * <p>Thread-safe: a connection serves one beat at a time.
 */
final class Beats implements AutoCloseable {
    private final Ground ground;
    private final ConcurrentLinkedQueue<Connection> idle = new ConcurrentLinkedQueue<>();

    Beats(Ground ground) {
        this.ground = ground;
    }

    /** Now, by the one clock of this host; in microseconds. */
    static long now() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }

    void beat(String key) throws SQLException {
        Connection connection = idle.poll();
        if (connection == null) {
            connection = ground.connectForBeats();
        }
        try (var statement = connection.prepareStatement("INSERT INTO beat (key, at) VALUES (?, ?)")) {
            statement.setString(1, key);
            statement.setLong(2, now());
            statement.executeUpdate();
        }
        idle.add(connection);
    }

    @Override
    public void close() throws SQLException {
        for (Connection connection = idle.poll(); connection != null; connection = idle.poll()) {
            connection.close();
        }
    }
}
