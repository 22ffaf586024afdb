package dev.weighlock.batch.jdbc.store;

import dev.weighlock.batch.repository.AuditEntry;
import dev.weighlock.batch.repository.RepositoryBounds;
import dev.weighlock.batch.repository.RepositoryRefusals;
import java.sql.SQLException;

/** Writes who did what, in the transaction that does it and before its guarded statement. */
public final class Audit {
    private Audit() {}

    /**
     * Nothing for an execution that does not exist: the guard that follows says so.
     *
     * @throws dev.weighlock.batch.BatchException ALREADY_DONE when the entry's key was used
     */
    public static void write(Session session, long executionId, AuditEntry entry) throws SQLException {
        int written = bound(session, """
                        INSERT INTO audit_entry (execution_id, at, action, actor, detail, idempotency_key)
                        SELECT id, {now}, :action, :actor, :detail, :key FROM job_execution WHERE id = :execution
                        ON CONFLICT (idempotency_key) DO NOTHING
                        """, entry).bind("execution", executionId).update();
        refuseRepeated(session, entry, written);
    }

    /** An act that concerns no single execution. */
    public static void write(Session session, AuditEntry entry) throws SQLException {
        int written = bound(session, """
                        INSERT INTO audit_entry (at, action, actor, detail, idempotency_key)
                        VALUES ({now}, :action, :actor, :detail, :key)
                        ON CONFLICT (idempotency_key) DO NOTHING
                        """, entry).update();
        refuseRepeated(session, entry, written);
    }

    private static Sql bound(Session session, String text, AuditEntry entry) {
        return session.sql(text)
                .bind("action", RepositoryBounds.text(entry.action()))
                .bind("actor", RepositoryBounds.text(entry.actor()))
                .bind("detail", RepositoryBounds.text(entry.detail()))
                .bind("key", entry.key());
    }

    private static void refuseRepeated(Session session, AuditEntry entry, int written) throws SQLException {
        if (written > 0 || entry.key().isEmpty()) {
            return;
        }
        var used = session.sql("SELECT id FROM audit_entry WHERE idempotency_key = :key")
                .bind("key", entry.key())
                .first(row -> row.number("id"));
        if (used.isPresent()) {
            throw RepositoryRefusals.repeated(entry);
        }
    }
}
