package dev.weighlock.batch.repository;

import dev.weighlock.batch.JobExecution;
import java.time.Instant;

/** What became of a stop request. */
public sealed interface StopDecision {
    /** The request is stored, now or by an earlier call; the owner will act on it. */
    record Requested(JobExecution execution, Instant requestedAt) implements StopDecision {}

    /** The execution is over; nothing changed. */
    record AlreadyFinished(JobExecution execution) implements StopDecision {}

    /** The execution is at another version than the caller expected; nothing changed. */
    record StaleVersion(JobExecution execution) implements StopDecision {}
}
