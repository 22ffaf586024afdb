package dev.weighlock.batch.jdbc.store;

import dev.weighlock.batch.repository.AuditEntry;
import dev.weighlock.batch.repository.RepositoryBounds;
import java.sql.SQLException;

/** Writes who did what, in the transaction that does it and before its guarded statement. */
public final class Audit {
    private Audit() {}

    /** Nothing for an execution that does not exist: the guard that follows says so. */
    public static void write(Session session, long executionId, AuditEntry entry) throws SQLException {
        session.sql("""
                        INSERT INTO audit_entry (execution_id, at, action, actor, detail)
                        SELECT id, {now}, :action, :actor, :detail FROM job_execution WHERE id = :execution
                        """)
                .bind("execution", executionId)
                .bind("action", RepositoryBounds.text(entry.action()))
                .bind("actor", RepositoryBounds.text(entry.actor()))
                .bind("detail", RepositoryBounds.text(entry.detail()))
                .update();
    }
}
