package dev.weighlock.batch.jdbc.postgres;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * What becomes of the rows of nodes that are over: one that no execution names goes, the others stay as the owners of what
 * they ran and are marked as ended. Stateless.
 */
final class EndedNodes {
    /** So many leases after its last heartbeat a node without executions is over. */
    private static final int LEASES = 10;

    private static final int BATCH = 100;

    /** Follows a query named {@code over} with the ids of nodes, whose rows it holds. */
    private static final String END = """
            , gone AS (
                DELETE FROM node n USING over WHERE n.id = over.id
                    AND NOT EXISTS (SELECT 1 FROM job_execution e WHERE e.owner_node = n.id)
                    AND NOT EXISTS (SELECT 1 FROM launch_request r WHERE r.requested_by = n.id)
                RETURNING n.id),
            silenced AS (DELETE FROM node_backend b USING over WHERE b.node_id = over.id)
            UPDATE node SET ended_at = clock_timestamp() FROM over
            WHERE node.id = over.id AND node.id NOT IN (SELECT id FROM gone) AND ended_at IS NULL
            """;

    /** A node that wakes and renews its row meanwhile is left out, or waits and learns how long it was away. */
    private static final String SILENT = """
            WITH over AS (
                SELECT id FROM node n
                WHERE ended_at IS NULL AND heartbeat_at + ? * lease < clock_timestamp()
                    AND NOT EXISTS (SELECT 1 FROM job_execution e WHERE e.owner_node = n.id AND e.ended_at IS NULL)
                ORDER BY heartbeat_at LIMIT ? FOR UPDATE SKIP LOCKED)
            """;

    private EndedNodes() {}

    static void end(Connection connection, String node) throws SQLException {
        try (var statement =
                connection.prepareStatement("WITH over AS (SELECT id FROM node WHERE id = ? FOR UPDATE)\n" + END)) {
            statement.setString(1, node);
            statement.executeUpdate();
        }
    }

    /** Ends nodes that were killed or lost long ago, once everything they ran was taken over. */
    static void clean(Connection connection) throws SQLException {
        try (var statement = connection.prepareStatement(SILENT + END)) {
            statement.setInt(1, LEASES);
            statement.setInt(2, BATCH);
            statement.executeUpdate();
        }
    }
}
