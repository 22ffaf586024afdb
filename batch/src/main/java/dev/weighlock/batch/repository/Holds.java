package dev.weighlock.batch.repository;

import dev.weighlock.batch.JobExecution;
import java.util.Optional;

/** Instances that are kept as they are until they are released. */
public interface Holds {
    Optional<Hold> hold(long instanceId);

    /** Holds the execution's instance, for the audit's detail as reason; an earlier hold stays as it is. */
    Hold placeHold(JobExecution execution, AuditEntry audit);

    /** Whether there was a hold. */
    boolean releaseHold(JobExecution execution, AuditEntry audit);
}
