package dev.weighlock.query.attempt;

import dev.weighlock.query.Reason;
import dev.weighlock.query.report.AttemptIdentity;
import dev.weighlock.query.report.AttemptReport;
import dev.weighlock.query.report.CancelReason;
import dev.weighlock.query.report.CapacityFacts;
import dev.weighlock.query.report.Disposition;
import dev.weighlock.query.report.ObservationCompleteness;
import dev.weighlock.query.report.Outcome;
import dev.weighlock.query.report.RetryAdvice;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Turns a finished lifecycle into its report. Called under the attempt lock. */
final class ReportBuilder {
    private ReportBuilder() {}

    static AttemptReport build(
            AttemptIdentity identity,
            AttemptLifecycle lifecycle,
            Cancellation cancellation,
            ObservationCompleteness completeness,
            @Nullable Long unixEpochNanos) {
        var outcome = Objects.requireNonNull(lifecycle.outcome());
        var commit = lifecycle.terminalCommit();
        return new AttemptReport(
                identity,
                Objects.requireNonNullElse(lifecycle.disposition(), Disposition.UNPLANNED),
                outcome,
                lifecycle.primaryFailure(),
                retryAdvice(lifecycle, outcome, commit),
                lifecycle.admission(),
                lifecycle.admissionWait(),
                lifecycle.composedSchedule(),
                lifecycle.timestamps(),
                lifecycle.cleanupFacts(),
                commit == null ? CapacityFacts.NOT_ADMITTED : commit.capacity(),
                lifecycle.result(),
                lifecycle.phaseAtEnd(),
                cancelReason(lifecycle, outcome, cancellation),
                completeness,
                unixEpochNanos);
    }

    private static RetryAdvice retryAdvice(
            AttemptLifecycle lifecycle, Outcome outcome, @Nullable TerminalCommit commit) {
        var capacity = commit == null ? CapacityFacts.NOT_ADMITTED : commit.capacity();
        return RetryAdvice.of(new RetryAdvice.Evidence(
                outcome,
                lifecycle.primaryFailure(),
                capacity.healthTransition(),
                capacity.resourceEvidence(),
                commit != null && commit.alternateEligible()));
    }

    private static @Nullable CancelReason cancelReason(
            AttemptLifecycle lifecycle, Outcome outcome, Cancellation cancellation) {
        var failure = lifecycle.primaryFailure();
        var byDeadline = failure != null && failure.has(Reason.DEADLINE_EXPIRED);
        return outcome instanceof Outcome.Cancelled && !byDeadline
                ? cancellation.requestedBy().orElse(null)
                : null;
    }
}
