package dev.weighlock.batch.jdbc.postgres;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;
import dev.weighlock.batch.jdbc.store.Session;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/**
 * The server processes behind this node's connections: each is recorded before anything is written through it, so that
 * whoever takes over can end it first.
 *
 * <p>Thread-safe; the monitor guards the node's id and the processes that were there before it, and is not held across a
 * statement.
 */
final class NodeBackends {
    private static final String RECORD = """
            INSERT INTO node_backend (node_id, backend_pid, backend_start)
            SELECT n.id, a.pid, a.backend_start FROM node n, pg_stat_activity a WHERE n.id = ? AND a.pid = ANY (?)
            ON CONFLICT DO NOTHING
            """;

    private final Deque<Integer> early = new ArrayDeque<>();
    private @Nullable String node;

    /**
     * Records a connection that was just made.
     *
     * @throws SQLException when the node's row is gone, so that nobody would end it at a take-over: it must not be used
     */
    void opened(Connection connection) throws SQLException {
        int pid = connection.unwrap(PGConnection.class).getBackendPID();
        var owner = nodeOrKeep(pid);
        if (owner.isPresent()) {
            recordNew(connection, owner.get(), pid);
        }
    }

    private synchronized Optional<String> nodeOrKeep(int pid) {
        if (node == null) {
            early.add(pid);
        }
        return Optional.ofNullable(node);
    }

    /** From now on connections belong to this node, whose row exists; those that are there are recorded. */
    void belongTo(String nodeId, Connection connection) throws SQLException {
        Integer[] pids;
        synchronized (this) {
            node = nodeId;
            pids = early.toArray(Integer[]::new);
            early.clear();
        }
        record(connection, nodeId, pids);
        opened(connection);
    }

    private static void recordNew(Connection connection, String nodeId, int pid) throws SQLException {
        if (record(connection, nodeId, pid) == 0) {
            throw new SQLException(
                    "the row of node " + nodeId + " is gone, so no connection can be recorded before it is renewed",
                    "08006");
        }
    }

    private static int record(Connection connection, String nodeId, Integer... pids) throws SQLException {
        try (var statement = connection.prepareStatement(RECORD)) {
            statement.setString(1, nodeId);
            statement.setArray(2, connection.createArrayOf("integer", pids));
            return statement.executeUpdate();
        }
    }

    /** Forgets what the server has ended. */
    static void prune(Connection connection, String nodeId) throws SQLException {
        try (var statement = connection.prepareStatement("""
                DELETE FROM node_backend b WHERE b.node_id = ? AND NOT EXISTS (
                    SELECT 1 FROM pg_stat_activity a WHERE a.pid = b.backend_pid AND a.backend_start = b.backend_start)
                """)) {
            statement.setString(1, nodeId);
            statement.executeUpdate();
        }
    }

    /**
     * Ends every server process of a dead node, but those of a server that was started since, and waits until they are gone. Needs the node's role, or
     * pg_signal_backend; a role that may not even see when a process began cannot tell whether it is the node's.
     *
     * @throws BatchException REPOSITORY_UNAVAILABLE when one does not end, or may be there unseen
     */
    static void end(Session session, String nodeId) throws SQLException {
        var left = session.sql("""
                        SELECT pid, gone FROM (
                            SELECT a.pid, CASE WHEN a.backend_start IS NOT NULL
                                THEN pg_terminate_backend(a.pid, 10000) ELSE false END AS gone
                            FROM node_backend b JOIN pg_stat_activity a ON a.pid = b.backend_pid
                            WHERE b.node_id = :node AND a.pid <> pg_backend_pid()
                                AND b.backend_start >= pg_postmaster_start_time()
                                AND coalesce(a.backend_start, b.backend_start) = b.backend_start) ended
                        WHERE NOT gone
                        """).bind("node", nodeId).first(row -> row.number("pid"));
        if (left.isPresent()) {
            throw new BatchException(
                    BatchError.REPOSITORY_UNAVAILABLE,
                    "the server process " + left.get() + " of the dead node " + nodeId
                            + " does not end, or is not for this role to see: nothing is taken over");
        }
    }
}
