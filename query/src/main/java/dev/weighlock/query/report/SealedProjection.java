package dev.weighlock.query.report;

import dev.weighlock.query.AttemptId;
import org.jspecify.annotations.Nullable;

/**
 * What a metrics store may count of a report: no correlation values, no payload. Whoever hands it on owns that it
 * happens exactly once.
 */
public record SealedProjection(
        AttemptId attemptId,
        Disposition disposition,
        Outcome outcome,
        CleanupDisposition cleanupDisposition,
        long cleanupFailureCount,
        boolean cleanupFailureCountComplete,
        CapacityDisposition capacityDisposition,
        @Nullable HealthTransition healthTransition,
        RetryAdvice retryAdvice,
        boolean observationTruncated,
        boolean observationDegraded,
        boolean faultEvidencePresent,
        boolean resourceEvidencePresent) {
    /** The label of the projection's JSON form. */
    public static final String SCHEMA = "weighlock.sealed-attempt-projection/1";

    public static SealedProjection of(AttemptReport report) {
        var cleanup = report.cleanup();
        var capacity = report.capacity();
        return new SealedProjection(
                report.attemptId(),
                report.disposition(),
                report.outcome(),
                cleanup.disposition(),
                cleanup.failureCount(),
                cleanup.failureCountComplete(),
                capacity.disposition(),
                capacity.healthTransition(),
                report.retryAdvice(),
                report.observation().truncated(),
                report.observation().degraded(),
                capacity.faultEvidence() != null,
                capacity.resourceEvidence() != null);
    }
}
