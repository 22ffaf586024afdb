package dev.weighlock.query.report;

import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.ErrorKind;
import dev.weighlock.query.ErrorStatus;
import dev.weighlock.query.Reason;
import org.jspecify.annotations.Nullable;

/** What a caller may do about an attempt's end. Advice only: nothing in the runtime acts on it. */
public enum RetryAdvice {
    NO_RETRY_NEEDED,
    DO_NOT_RETRY,
    /** The same request may succeed later. */
    BACKOFF,
    /** The same request fails until a limit or a size is changed. */
    CHANGE_CONFIGURATION,
    RETRY_LARGER_GRANT,
    RETRY_ANOTHER_DEVICE,
    RECOVER_BACKEND,
    INDETERMINATE;

    /**
     * What the advice is drawn from.
     *
     * @param alternateEligible whether another healthy device could take the same request
     */
    public record Evidence(
            Outcome outcome,
            @Nullable FailureSummary primaryFailure,
            @Nullable HealthTransition healthTransition,
            @Nullable ResourceEvidence resourceEvidence,
            boolean alternateEligible) {}

    /** The advice for an ended attempt. Depends on nothing but its argument. */
    public static RetryAdvice of(Evidence evidence) {
        return switch (evidence.outcome()) {
            case Outcome.Succeeded() -> NO_RETRY_NEEDED;
            case Outcome.Cancelled(), Outcome.Dropped(), Outcome.Panicked() -> DO_NOT_RETRY;
            case Outcome.Failed(var code, var status) -> ofFailure(code, status, evidence);
        };
    }

    private static RetryAdvice ofFailure(ErrorCode code, ErrorStatus status, Evidence evidence) {
        if (code.kind() == ErrorKind.INPUT || code.kind() == ErrorKind.PLANNING) {
            return DO_NOT_RETRY;
        }
        if (evidence.healthTransition() == HealthTransition.BACKEND_UNHEALTHY
                || has(evidence, Reason.BACKEND_UNHEALTHY)) {
            return RECOVER_BACKEND;
        }
        if (evidence.healthTransition() == HealthTransition.DEVICE_QUARANTINED && evidence.alternateEligible()) {
            return RETRY_ANOTHER_DEVICE;
        }
        return ofShortage(code, status, evidence);
    }

    private static RetryAdvice ofShortage(ErrorCode code, ErrorStatus status, Evidence evidence) {
        if (has(evidence, Reason.QUERY_CAP_EXCEEDS_CAPACITY)
                || has(evidence, Reason.WOULD_WAIT_ON_ITSELF)
                || has(evidence, Reason.TEMP_SPACE)
                || has(evidence, Reason.RESULT_ALLOWANCE)
                || code == ErrorCode.QUERY_TEMP_LIMIT_EXCEEDED
                || code == ErrorCode.RESULT_LIMIT_EXCEEDED) {
            return CHANGE_CONFIGURATION;
        }
        if (has(evidence, Reason.ADMISSION_QUEUE_FULL) || has(evidence, Reason.QUEUE_WAIT_ELAPSED)) {
            return BACKOFF;
        }
        var capacity = evidence.resourceEvidence();
        if (code == ErrorCode.QUERY_MEMORY_LIMIT_EXCEEDED) {
            return capacity != null && capacity.largerGrantFits() ? RETRY_LARGER_GRANT : INDETERMINATE;
        }
        return status == ErrorStatus.TEMPORARY && capacity != null ? BACKOFF : INDETERMINATE;
    }

    private static boolean has(Evidence evidence, Reason reason) {
        var failure = evidence.primaryFailure();
        return failure != null && failure.has(reason);
    }
}
