package dev.weighlock.app.prove.stand;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.UUID;

/** The heartbeat row of one body. For the body's thread, which closes it. */
public final class Pulse implements AutoCloseable {
    private final Bodies bodies;
    private final Connection connection;
    private final String now;
    private final String id = UUID.randomUUID().toString();
    private String outcome = "BROKE";

    Pulse(Bodies bodies, Connection connection, String now, long execution, String key) throws SQLException {
        this.bodies = bodies;
        this.connection = connection;
        this.now = now;
        try (var insert = connection.prepareStatement("INSERT INTO " + Bodies.TABLE
                + " (id, execution_id, partition_key, started_at, beat_at, beats, outcome)"
                + " VALUES (?, ?, ?, " + now + ", " + now + ", 1, 'RUNNING')")) {
            insert.setString(1, id);
            insert.setLong(2, execution);
            insert.setString(3, key);
            insert.executeUpdate();
        }
    }

    /** Still running. */
    public void beat() throws SQLException {
        update("beats = beats + 1", "RUNNING");
    }

    /** What the row will say of the end. */
    public void outcome(String word) {
        outcome = word;
    }

    private void update(String change, String word) throws SQLException {
        try (var update = connection.prepareStatement(
                "UPDATE " + Bodies.TABLE + " SET beat_at = " + now + ", " + change + ", outcome = ? WHERE id = ?")) {
            update.setString(1, word);
            update.setString(2, id);
            update.executeUpdate();
        }
    }

    @Override
    public void close() throws SQLException {
        update("ended_at = " + now, outcome);
        bodies.giveBack(connection);
    }
}
