package dev.weighlock.batch.jdbc.sqlite;

import dev.weighlock.batch.repository.AuditEntry;
import dev.weighlock.batch.repository.RepositoryBounds;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;

/** Writes who did what, in the transaction that does it. */
final class Audit {
    private Audit() {}

    static void write(Connection connection, long executionId, AuditEntry entry, Instant at) throws SQLException {
        Sql.of(connection, """
                        INSERT INTO audit_entry (execution_id, at, action, actor, detail)
                        VALUES (:execution, :at, :action, :actor, :detail)
                        """)
                .bind("execution", executionId)
                .bind("at", at)
                .bind("action", RepositoryBounds.text(entry.action()))
                .bind("actor", RepositoryBounds.text(entry.actor()))
                .bind("detail", RepositoryBounds.text(entry.detail()))
                .update();
    }
}
