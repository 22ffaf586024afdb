package dev.weighlock.batch.repository;

import dev.weighlock.batch.JobName;

/**
 * An instance that a rule would remove.
 *
 * @param lastExecution its newest execution: another one later means that somebody ran it meanwhile
 */
public record PurgeCandidate(long instanceId, JobName job, long lastExecution, long executions) {}
