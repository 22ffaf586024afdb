package dev.weighlock.batch.jdbc.sqlite;

import dev.weighlock.batch.StopRequest;
import dev.weighlock.batch.repository.AuditEntry;
import dev.weighlock.batch.repository.RepositoryBounds;
import dev.weighlock.batch.repository.RepositoryRefusals;
import dev.weighlock.batch.repository.RepositoryRules;
import dev.weighlock.batch.repository.StopDecision;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.util.List;
import java.util.OptionalLong;

/** Stop requests. A request touches neither version nor epoch: the owner alone acts on it. */
final class StopStore {
    private final SqliteDatabase database;
    private final Clock clock;

    StopStore(SqliteDatabase database, Clock clock) {
        this.database = database;
        this.clock = clock;
    }

    StopDecision request(long executionId, OptionalLong expectedVersion, String actor) {
        return database.write(connection -> {
            var now = clock.instant();
            int stored = Sql.of(connection, """
                            UPDATE job_execution SET stop_requested_at = :now, stop_actor = :actor
                            WHERE id = :id AND ended_at IS NULL AND stop_requested_at IS NULL
                                AND (:expected IS NULL OR version = :expected)
                            """)
                    .bind("id", executionId)
                    .bind("now", now)
                    .bind("actor", RepositoryBounds.text(actor))
                    .bind("expected", expectedVersion)
                    .update();
            if (stored == 1) {
                Audit.write(connection, executionId, new AuditEntry("stop", actor, ""), now);
            }
            return decision(connection, executionId, expectedVersion);
        });
    }

    private static StopDecision decision(Connection connection, long executionId, OptionalLong expectedVersion)
            throws SQLException {
        var execution = Explorer.execution(connection, executionId)
                .orElseThrow(() -> RepositoryRefusals.unknown("execution " + executionId));
        return RepositoryRules.stopDecision(execution, expectedVersion).orElseThrow();
    }

    List<StopRequest> pending(String nodeId) {
        return database.read(connection -> pending(connection, nodeId));
    }

    static List<StopRequest> pending(Connection connection, String nodeId) throws SQLException {
        return Sql.of(connection, """
                        SELECT id, stop_actor, stop_requested_at FROM job_execution
                        WHERE owner_node = :node AND ended_at IS NULL AND stop_requested_at IS NOT NULL
                        """)
                .bind("node", nodeId)
                .list(row ->
                        new StopRequest(row.number("id"), row.text("stop_actor"), row.instant("stop_requested_at")));
    }
}
