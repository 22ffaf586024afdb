package dev.weighlock.batch.run;

import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.ExitStatus;
import dev.weighlock.batch.FailureSummary;
import dev.weighlock.batch.PartitionStatus;
import dev.weighlock.batch.StepCounts;
import dev.weighlock.batch.StopTiming;
import java.util.Optional;

/**
 * How the body of a step or partition ended.
 *
 * @param status COMPLETED, STOPPED, FAILED or UNKNOWN
 * @param failure present exactly when FAILED
 */
record BodyResult(
        BatchStatus status,
        ExitStatus exitStatus,
        StepCounts counts,
        Optional<StopTiming> stopTiming,
        Optional<FailureSummary> failure) {
    static BodyResult completed(ExitStatus exitStatus, StepCounts counts) {
        return new BodyResult(BatchStatus.COMPLETED, exitStatus, counts, Optional.empty(), Optional.empty());
    }

    static BodyResult stopped(StopTiming timing, StepCounts counts) {
        return new BodyResult(BatchStatus.STOPPED, ExitStatus.STOPPED, counts, Optional.of(timing), Optional.empty());
    }

    static BodyResult failed(FailureSummary failure, StepCounts counts) {
        return new BodyResult(BatchStatus.FAILED, ExitStatus.FAILED, counts, Optional.empty(), Optional.of(failure));
    }

    static BodyResult unknown(StepCounts counts) {
        return new BodyResult(BatchStatus.UNKNOWN, ExitStatus.UNKNOWN, counts, Optional.empty(), Optional.empty());
    }

    BodyResult withTiming(StopTiming timing) {
        return new BodyResult(status, exitStatus, counts, Optional.of(timing), failure);
    }

    PartitionStatus partitionStatus() {
        return switch (status) {
            case COMPLETED -> PartitionStatus.COMPLETED;
            case STOPPED -> PartitionStatus.STOPPED;
            case FAILED -> PartitionStatus.FAILED;
            case UNKNOWN -> PartitionStatus.UNKNOWN;
            case STARTING, STARTED, STOPPING, ABANDONED ->
                throw new IllegalStateException("a body does not end " + status);
        };
    }
}
