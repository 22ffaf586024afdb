package dev.weighlock.batch.jdbc.store;

import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.jdbc.store.StoreDatabase.ReadBack;
import dev.weighlock.batch.repository.AuditEntry;
import dev.weighlock.batch.repository.AuditRecord;
import dev.weighlock.batch.repository.Hold;
import dev.weighlock.batch.repository.RepositoryBounds;
import dev.weighlock.batch.repository.RepositoryRules;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Holds of instances, and the audit trail. */
public final class HoldStore {
    private final StoreDatabase database;

    public HoldStore(StoreDatabase database) {
        this.database = database;
    }

    public Optional<Hold> find(long instanceId) {
        return database.read(session -> find(session, instanceId));
    }

    private static Optional<Hold> find(Session session, long instanceId) throws SQLException {
        return session.sql("""
                        SELECT instance_id, actor, reason, held_at FROM hold
                        WHERE instance_id = :instance AND released_at IS NULL
                        """)
                .bind("instance", instanceId)
                .first(row -> new Hold(
                        row.number("instance_id"), row.text("actor"), row.text("reason"), row.instant("held_at")));
    }

    /** What keeps a stopped or failed instance from being restarted: a hold, or its removal. */
    public static Optional<Hold> inTheWay(Session session, JobExecution last) throws SQLException {
        return switch (last.status()) {
            case STOPPED, FAILED -> inTheWay(session, last.instance().id());
            case STARTING, STARTED, STOPPING, COMPLETED, UNKNOWN, ABANDONED -> Optional.empty();
        };
    }

    private static Optional<Hold> inTheWay(Session session, long instanceId) throws SQLException {
        return isBeingPurged(session, instanceId)
                ? Optional.of(RepositoryRules.beingPurged(instanceId, Instant.now()))
                : find(session, instanceId);
    }

    private static boolean isBeingPurged(Session session, long instanceId) throws SQLException {
        return session.sql("SELECT id FROM job_instance WHERE id = :instance AND purging")
                .bind("instance", instanceId)
                .first(row -> row.number("id"))
                .isPresent();
    }

    public Hold place(JobExecution execution, AuditEntry audit) {
        long instance = execution.instance().id();
        return database.write(
                session -> {
                    int placed = session.sql("""
                                    INSERT INTO hold (instance_id, actor, reason, held_at)
                                    SELECT id, :actor, :reason, {now} FROM job_instance WHERE id = :instance
                                    ON CONFLICT DO NOTHING
                                    """)
                            .bind("instance", instance)
                            .bind("actor", RepositoryBounds.text(audit.actor()))
                            .bind("reason", RepositoryBounds.text(audit.detail()))
                            .update();
                    if (placed == 1) {
                        Audit.write(session, execution.id(), audit);
                    }
                    return find(session, instance).orElseThrow();
                },
                ReadBack.none());
    }

    public boolean release(JobExecution execution, AuditEntry audit) {
        return database.write(
                session -> {
                    int released = session.sql("""
                                    UPDATE hold SET released_at = {now}, released_by = :actor
                                    WHERE instance_id = :instance AND released_at IS NULL
                                    """)
                            .bind("instance", execution.instance().id())
                            .bind("actor", RepositoryBounds.text(audit.actor()))
                            .update();
                    if (released == 1) {
                        Audit.write(session, execution.id(), audit);
                    }
                    return released == 1;
                },
                ReadBack.none());
    }

    public List<AuditRecord> trail(long executionId, int limit) {
        return database.read(session -> session.sql("""
                                SELECT execution_id, at, action, actor, detail, idempotency_key FROM audit_entry
                                WHERE execution_id = :execution ORDER BY id DESC LIMIT :limit
                                """)
                        .bind("execution", executionId)
                        .bind("limit", limit)
                        .list(HoldStore::record))
                .reversed();
    }

    public Optional<AuditRecord> audited(String key) {
        return database.read(session -> session.sql("""
                        SELECT execution_id, at, action, actor, detail, idempotency_key FROM audit_entry
                        WHERE idempotency_key = :key
                        """).bind("key", key).first(HoldStore::record));
    }

    private static AuditRecord record(Row row) throws SQLException {
        return new AuditRecord(
                row.optionalNumber("execution_id"),
                row.instant("at"),
                new AuditEntry(
                        row.text("action"),
                        row.text("actor"),
                        row.text("detail"),
                        row.optionalText("idempotency_key")));
    }

    public void audit(AuditEntry entry) {
        database.write(
                session -> {
                    Audit.write(session, entry);
                    return entry;
                },
                ReadBack.none());
    }
}
