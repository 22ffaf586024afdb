package dev.weighlock.query.report;

import dev.weighlock.query.AttemptId;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The one immutable report of an attempt, built when nothing about the attempt can change any more. Everybody who reads
 * it, from metrics to a stored job execution, reads the same object.
 *
 * @param disposition where the work was planned to run
 * @param primaryFailure the first failure that was recorded, whatever the outcome
 * @param admission absent when the attempt was never admitted
 * @param phaseAtEnd what the attempt was doing when its outcome was fixed
 * @param cancelReason who cancelled, when the attempt was cancelled by request
 * @param unixEpochNanos the wall clock when the report was built, when there is one
 */
public record AttemptReport(
        AttemptIdentity identity,
        Disposition disposition,
        Outcome outcome,
        @Nullable FailureSummary primaryFailure,
        RetryAdvice retryAdvice,
        @Nullable AdmissionFact admission,
        @Nullable AdmissionWait admissionWait,
        @Nullable ComposedSchedule composedSchedule,
        Timestamps timestamps,
        CleanupFacts cleanup,
        CapacityFacts capacity,
        ResultFacts result,
        AttemptPhase phaseAtEnd,
        @Nullable CancelReason cancelReason,
        ObservationCompleteness observation,
        @Nullable Long unixEpochNanos) {
    /** The label of the report's JSON form. */
    public static final String SCHEMA = "weighlock.attempt-report/1";

    public AttemptId attemptId() {
        return identity.attemptId();
    }

    /** The device the attempt was admitted to. */
    public Optional<Integer> deviceOrdinal() {
        return Optional.ofNullable(admission).map(AdmissionFact::deviceOrdinal);
    }

    public AttemptDurations durations() {
        return AttemptDurations.of(timestamps);
    }
}
