package dev.weighlock.batch.jdbc.server;

import java.sql.Connection;
import java.sql.SQLException;

/** A server process behind a connection, told apart by number and start: numbers come again. */
public record Backend(long pid, String start) {
    /** The one that serves {@code connection}, whose session runs in UTC. */
    public static Backend of(Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var row = statement.executeQuery("""
                        SELECT pid, backend_start::text FROM pg_stat_activity WHERE pid = pg_backend_pid()
                        """)) {
            row.next();
            return new Backend(row.getLong(1), row.getString(2));
        }
    }

    /** Ends it and waits until it is gone; nothing to do when it is. Needs the same role, or pg_signal_backend. */
    public void end(Connection connection) throws SQLException {
        try (var statement = connection.prepareStatement("""
                SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
                WHERE pid = ? AND backend_start::text = ? AND pid <> pg_backend_pid()
                """)) {
            statement.setLong(1, pid);
            statement.setString(2, start);
            statement.executeQuery().close();
        }
    }
}
