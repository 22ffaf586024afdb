package dev.weighlock.batch.repository;

import java.util.List;
import java.util.Optional;

/** Who did what. */
public interface AuditTrail {
    /** The newest entries of an execution, in the order written. */
    List<AuditRecord> auditTrail(long executionId, int limit);

    /** What was done with this idempotency key. */
    Optional<AuditRecord> audited(String key);

    /** Stores an act that concerns no single execution. */
    void audit(AuditEntry entry);
}
