package dev.weighlock.batch.jdbc.server;

import java.sql.Connection;
import java.sql.SQLException;

/** A server process behind a connection, told apart by number and start: numbers come again. */
public record Backend(long pid, String start) {
    private static final long END_MILLIS = 10_000;

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

    /**
     * Ends it and waits until it is gone; nothing to do when it is, or when the server was started since. Needs the same role,
     * or pg_signal_backend; to another role the server does not even say when a process began, so that it may be this one.
     *
     * @throws SQLException when it does not end, or may be there unseen
     */
    public void end(Connection connection) throws SQLException {
        end(connection, END_MILLIS);
    }

    void end(Connection connection, long waitMillis) throws SQLException {
        try (var statement = connection.prepareStatement("""
                SELECT CASE WHEN backend_start IS NOT NULL THEN pg_terminate_backend(pid, ?) ELSE false END
                FROM pg_stat_activity
                WHERE pid = ? AND coalesce(backend_start::text = ?, true) AND pid <> pg_backend_pid()
                    AND ?::timestamptz >= pg_postmaster_start_time()
                """)) {
            statement.setLong(1, waitMillis);
            statement.setLong(2, pid);
            statement.setString(3, start);
            statement.setString(4, start);
            try (var row = statement.executeQuery()) {
                if (row.next() && !row.getBoolean(1)) {
                    throw new SQLException(
                            "the server process " + pid + ", which may still commit, does not end, or is not for this"
                                    + " role to see: it must end, or its role be this one's",
                            "55006");
                }
            }
        }
    }
}
