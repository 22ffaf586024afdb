package dev.weighlock.batch.jdbc.store;

import dev.weighlock.batch.StopRequest;
import dev.weighlock.batch.jdbc.store.StoreDatabase.ReadBack;
import dev.weighlock.batch.repository.AuditEntry;
import dev.weighlock.batch.repository.RepositoryBounds;
import dev.weighlock.batch.repository.RepositoryRefusals;
import dev.weighlock.batch.repository.RepositoryRules;
import dev.weighlock.batch.repository.StopDecision;
import java.sql.SQLException;
import java.util.List;
import java.util.OptionalLong;

/** Stop requests. A request touches neither version nor epoch: the owner alone acts on it. */
public final class StopStore {
    /** Tells the owner of a request, in the transaction that stores it. */
    @FunctionalInterface
    public interface Announcement {
        Announcement NONE = (session, executionId) -> {};

        void announce(Session session, long executionId) throws SQLException;
    }

    private final StoreDatabase database;
    private final Announcement announcement;

    public StopStore(StoreDatabase database, Announcement announcement) {
        this.database = database;
        this.announcement = announcement;
    }

    public StopDecision request(long executionId, OptionalLong expectedVersion, String actor, String reason) {
        return database.write(
                session -> {
                    if (store(session, executionId, expectedVersion, actor) == 1) {
                        Audit.write(session, executionId, new AuditEntry("stop", actor, reason));
                        announcement.announce(session, executionId);
                    }
                    return decision(session, executionId, expectedVersion);
                },
                ReadBack.none());
    }

    private static int store(Session session, long executionId, OptionalLong expectedVersion, String actor)
            throws SQLException {
        return session.sql("""
                        UPDATE job_execution SET stop_requested_at = {now}, stop_actor = :actor
                        WHERE id = :id AND ended_at IS NULL AND stop_requested_at IS NULL
                            AND version = coalesce(:expected, version)
                        """)
                .bind("id", executionId)
                .bind("actor", RepositoryBounds.text(actor))
                .bind("expected", expectedVersion)
                .update();
    }

    private static StopDecision decision(Session session, long executionId, OptionalLong expectedVersion)
            throws SQLException {
        var execution = Explorer.execution(session, executionId)
                .orElseThrow(() -> RepositoryRefusals.unknown("execution " + executionId));
        return RepositoryRules.stopDecision(execution, expectedVersion).orElseThrow();
    }

    public List<StopRequest> pending(String nodeId) {
        return database.read(session -> pending(session, nodeId));
    }

    public static List<StopRequest> pending(Session session, String nodeId) throws SQLException {
        return session.sql("""
                        SELECT id, stop_actor, stop_requested_at FROM job_execution
                        WHERE owner_node = :node AND ended_at IS NULL AND stop_requested_at IS NOT NULL
                        """)
                .bind("node", nodeId)
                .list(row ->
                        new StopRequest(row.number("id"), row.text("stop_actor"), row.instant("stop_requested_at")));
    }
}
