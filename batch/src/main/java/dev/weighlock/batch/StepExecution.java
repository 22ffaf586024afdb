package dev.weighlock.batch;

import java.time.Instant;
import java.util.Optional;

/**
 * One attempt at a step, as the repository last returned it. An immutable value and the guard of the next write, like
 * {@link JobExecution}.
 *
 * @param instanceId of the job instance, so that a restart finds the last attempt
 * @param attempt 1 for the first execution of this step in the instance
 * @param context the step's own context; a chunk step keeps its position here
 * @param partitioned whether its work lies in partition rows
 */
public record StepExecution(
        long id,
        long executionId,
        long instanceId,
        StepName name,
        int attempt,
        BatchStatus status,
        ExitStatus exitStatus,
        long version,
        long epoch,
        StepCounts counts,
        ExecutionContext context,
        boolean partitioned,
        Optional<StopTiming> stopTiming,
        Instant startedAt,
        Optional<Instant> endedAt,
        Optional<FailureSummary> failure,
        Optional<String> diagnostics) {
    /** Its successor once a chunk is committed. */
    public StepExecution committed(StepCounts newCounts, ExecutionContext newContext) {
        return new StepExecution(
                id,
                executionId,
                instanceId,
                name,
                attempt,
                status,
                exitStatus,
                version + 1,
                epoch,
                newCounts,
                newContext,
                partitioned,
                stopTiming,
                startedAt,
                endedAt,
                failure,
                diagnostics);
    }
}
