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

    private static final String END = """
            WITH gone AS (
                DELETE FROM node n WHERE n.id = ANY (?)
                    AND NOT EXISTS (SELECT 1 FROM job_execution e WHERE e.owner_node = n.id)
                    AND NOT EXISTS (SELECT 1 FROM launch_request r WHERE n.id IN (r.requested_by, r.claimed_by))
                RETURNING n.id),
            silenced AS (DELETE FROM node_backend b WHERE b.node_id = ANY (?))
            UPDATE node SET ended_at = clock_timestamp()
            WHERE id = ANY (?) AND id NOT IN (SELECT id FROM gone) AND ended_at IS NULL
            """;

    private EndedNodes() {}

    static void end(Connection connection, String... nodes) throws SQLException {
        var ids = connection.createArrayOf("text", nodes);
        try (var statement = connection.prepareStatement(END)) {
            for (int index = 1; index <= 3; index++) {
                statement.setArray(index, ids);
            }
            statement.executeUpdate();
        }
    }

    /** Ends nodes that were killed or lost long ago, once everything they ran was taken over. */
    static void clean(Connection connection) throws SQLException {
        try (var statement = connection.prepareStatement("""
                SELECT id FROM node n
                WHERE ended_at IS NULL AND heartbeat_at + ? * lease < clock_timestamp()
                    AND NOT EXISTS (SELECT 1 FROM job_execution e WHERE e.owner_node = n.id AND e.ended_at IS NULL)
                ORDER BY heartbeat_at LIMIT ?
                """)) {
            statement.setInt(1, LEASES);
            statement.setInt(2, BATCH);
            var ids = new java.util.ArrayList<String>();
            try (var rows = statement.executeQuery()) {
                while (rows.next()) {
                    ids.add(rows.getString(1));
                }
            }
            if (!ids.isEmpty()) {
                end(connection, ids.toArray(String[]::new));
            }
        }
    }
}
