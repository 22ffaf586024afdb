package dev.weighlock.query.attempt;

import dev.weighlock.query.report.CleanupDisposition;
import dev.weighlock.query.report.CleanupFacts;
import dev.weighlock.query.report.CleanupFailure;
import dev.weighlock.query.report.CleanupPhase;
import dev.weighlock.query.report.FailureSummary;
import org.jspecify.annotations.Nullable;

/** The exact count of an attempt's cleanup failures. Guarded by the attempt lock. */
final class CleanupTally {
    private long count;
    private @Nullable CleanupPhase firstPhase;
    private @Nullable FailureSummary firstFailure;

    void add(CleanupPhase phase, FailureSummary failure) {
        count++;
        if (firstPhase == null) {
            firstPhase = phase;
            firstFailure = failure;
        }
    }

    CleanupFacts facts(boolean admitted) {
        return new CleanupFacts(disposition(admitted), count, true, first());
    }

    private CleanupDisposition disposition(boolean admitted) {
        if (!admitted) {
            return CleanupDisposition.NOT_REQUIRED;
        }
        return count == 0 ? CleanupDisposition.COMPLETED : CleanupDisposition.COMPLETED_WITH_FAILURES;
    }

    private @Nullable CleanupFailure first() {
        return firstPhase == null || firstFailure == null
                ? null
                : new CleanupFailure(firstPhase, firstFailure, count == 1);
    }
}
