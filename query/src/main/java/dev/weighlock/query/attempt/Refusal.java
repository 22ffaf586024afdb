package dev.weighlock.query.attempt;

import dev.weighlock.query.QueryException;
import dev.weighlock.query.Reason;
import dev.weighlock.query.ReportOperation;
import dev.weighlock.query.report.FailureSummary;
import dev.weighlock.query.report.Outcome;

/** How a request that was not admitted ends. */
record Refusal(Outcome outcome, FailureSummary summary) {
    /** A cancellation that is in effect says more than the queue's error. */
    static Refusal of(QueryException error, Cancellation cancellation) {
        var cancelled = cancellation.error("attempt.admission_rejection");
        if (cancelled.isPresent()) {
            return new Refusal(Outcome.CANCELLED, FailureSummary.of(cancelled.get(), ReportOperation.ADMISSION));
        }
        var summary = error.facts().has(Reason.BACKEND_CLOSING)
                ? FailureSummary.backendClosing()
                : FailureSummary.of(error, ReportOperation.ADMISSION);
        return new Refusal(Outcome.of(error), summary);
    }
}
