package dev.weighlock.batch.jdbc.postgres;

import dev.weighlock.batch.jdbc.store.Session;
import java.sql.Connection;
import java.sql.SQLException;
import org.postgresql.PGConnection;

/** The server processes behind this process's own connections. */
final class Backends {
    private static final int END_MILLIS = 10_000;

    private Backends() {}

    static int pid(Connection connection) throws SQLException {
        return connection.unwrap(PGConnection.class).getBackendPID();
    }

    /**
     * Ends the process that served a connection {@code agoNanos} ago, and waits until it is gone; a younger one of that
     * number serves somebody else.
     *
     * @throws SQLException when it does not end
     */
    static void end(Session session, int pid, long agoNanos) throws SQLException {
        var stays = session.sql("""
                        SELECT pid FROM (
                            SELECT pid, pg_terminate_backend(pid, CAST(:wait AS bigint)) AS gone FROM pg_stat_activity
                            WHERE pid = :pid AND pid <> pg_backend_pid() AND usename = current_user
                                AND backend_start <= clock_timestamp() - :ago * interval '1 microsecond') ended
                        WHERE NOT gone
                        """)
                .bind("wait", END_MILLIS)
                .bind("pid", pid)
                .bind("ago", agoNanos / 1_000)
                .first(row -> row.number("pid"));
        if (stays.isPresent()) {
            throw new SQLException("the server process " + pid + " does not end", "08007");
        }
    }
}
