package dev.weighlock.batch;

import java.time.Instant;
import java.util.Optional;

/**
 * One partition of a partitioned step's attempt.
 *
 * @param ordinal place in the plan, from 0
 * @param key unique in the step, 1 to 128 bytes of UTF-8
 * @param input what the planner gave it; never changes
 * @param context what its work keeps across attempts, such as a reader's position
 * @param claim raised when a worker takes it; fences a twin that runs the same partition
 * @param carriedOver whether it was completed by an earlier attempt
 */
public record PartitionExecution(
        long id,
        long stepExecutionId,
        int ordinal,
        String key,
        ExecutionContext input,
        ExecutionContext context,
        PartitionStatus status,
        ExitStatus exitStatus,
        long claim,
        StepCounts counts,
        boolean carriedOver,
        Optional<Instant> startedAt,
        Optional<Instant> endedAt,
        Optional<FailureSummary> failure,
        Optional<String> diagnostics) {
    /** Its successor once a chunk is committed. */
    public PartitionExecution committed(StepCounts newCounts, ExecutionContext newContext) {
        return new PartitionExecution(
                id,
                stepExecutionId,
                ordinal,
                key,
                input,
                newContext,
                status,
                exitStatus,
                claim,
                newCounts,
                carriedOver,
                startedAt,
                endedAt,
                failure,
                diagnostics);
    }
}
