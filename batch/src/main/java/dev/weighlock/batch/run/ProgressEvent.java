package dev.weighlock.batch.run;

import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.PartitionExecution;
import dev.weighlock.batch.StepCounts;
import dev.weighlock.batch.StepExecution;
import java.util.Optional;

/** Something that just became durable. Steps of branches and partitions come from several threads at once. */
public sealed interface ProgressEvent {
    long executionId();

    record JobBegan(JobExecution execution) implements ProgressEvent {
        @Override
        public long executionId() {
            return execution.id();
        }
    }

    record JobEnded(JobExecution execution) implements ProgressEvent {
        @Override
        public long executionId() {
            return execution.id();
        }
    }

    record StepBegan(StepExecution step) implements ProgressEvent {
        @Override
        public long executionId() {
            return step.executionId();
        }
    }

    record StepEnded(StepExecution step) implements ProgressEvent {
        @Override
        public long executionId() {
            return step.executionId();
        }
    }

    /** A restart found the step complete and does not run it. */
    record StepReused(long executionId, StepExecution step) implements ProgressEvent {}

    /** @param carriedOver completed by an earlier attempt */
    record PartitionsPlanned(StepExecution step, long planned, long carriedOver) implements ProgressEvent {
        @Override
        public long executionId() {
            return step.executionId();
        }
    }

    record PartitionBegan(long executionId, PartitionExecution partition) implements ProgressEvent {}

    record PartitionEnded(long executionId, PartitionExecution partition) implements ProgressEvent {}

    /**
     * A chunk is committed.
     *
     * @param partition key of the partition it belongs to
     * @param counts of the attempt so far
     */
    record ChunkCommitted(long executionId, long stepExecutionId, Optional<String> partition, StepCounts counts)
            implements ProgressEvent {}

    /** The owner saw a stop. */
    record StopSeen(JobExecution execution) implements ProgressEvent {
        @Override
        public long executionId() {
            return execution.id();
        }
    }
}
