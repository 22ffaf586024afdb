package dev.weighlock.batch;

import java.time.Instant;
import java.util.Optional;

/**
 * One attempt at a job instance, as the repository last returned it. An immutable value: a write takes it as the guard
 * (version, epoch and status must still be these) and returns its successor.
 *
 * @param attempt 1 for the first execution of the instance
 * @param definitionDigest key of the stored definition
 * @param fingerprint of the flow graph; compared at a restart, never used as a key
 * @param version raised by every lifecycle write
 * @param epoch raised by every take-over and by every restart of the instance; a writer with an older one is fenced
 * @param ownerNode id of the node that runs or last ran it
 * @param endedAt absent exactly while the status is active
 * @param failure present exactly when the status is FAILED
 * @param diagnostics bounded text for people
 */
public record JobExecution(
        long id,
        JobInstance instance,
        int attempt,
        JobParameters parameters,
        String definitionDigest,
        String fingerprint,
        BatchStatus status,
        ExitStatus exitStatus,
        long version,
        long epoch,
        String ownerNode,
        ExecutionContext context,
        StopInstants stop,
        Instant createdAt,
        Optional<Instant> startedAt,
        Optional<Instant> endedAt,
        Optional<FailureSummary> failure,
        Optional<String> diagnostics) {}
