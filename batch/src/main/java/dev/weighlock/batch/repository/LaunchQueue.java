package dev.weighlock.batch.repository;

import dev.weighlock.batch.JobName;
import java.util.List;
import java.util.Optional;

/** Launches that wait for a slot of their job. They enter, and leave with an execution, by {@link JobRepository#createExecution}. */
public interface LaunchQueue {
    /** Those that wait, the next one first. */
    List<QueuedLaunch> queuedLaunches(Optional<JobName> job, int limit);

    Optional<QueuedLaunch> queuedLaunch(long id);

    /**
     * Makes a request that waits CANCELLED. Harmless where it waits no longer.
     *
     * @return the request as it is now
     * @throws dev.weighlock.batch.BatchException NOT_FOUND
     */
    QueuedLaunch cancelQueued(long id, AuditEntry audit);
}
