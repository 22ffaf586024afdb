package dev.weighlock.query.attempt;

import dev.weighlock.query.observe.SealDelivery;
import dev.weighlock.query.report.FailureSummary;
import dev.weighlock.query.report.Outcome;

/**
 * The one right to finish an attempt. Exactly one exists for each attempt; it sits in the {@link FinalizerSlot} or in
 * the {@link AttemptAdmission} that claimed it.
 */
final class AttemptFinalizer {
    private final AttemptCore core;

    AttemptFinalizer(AttemptCore core) {
        this.core = core;
    }

    AttemptCore core() {
        return core;
    }

    void admissionRequested() {
        core.admissionRequested();
    }

    /** Finishes without a grant, with the outcome that is committed, else {@code fallback}. */
    Outcome finishNotAdmitted(Outcome fallback) {
        return core.inLock(lifecycle -> {
            var outcome = core.resolveOutcome(lifecycle, fallback);
            lifecycle.finalizeNotAdmitted();
            return outcome;
        });
    }

    void recordPrimaryFailure(FailureSummary summary) {
        core.change(lifecycle -> lifecycle.primaryFailure(summary));
    }

    void finishAdmitted(TerminalCommit commit) {
        core.change(lifecycle -> lifecycle.terminalCommit(commit, core.now()));
    }

    SealDelivery seal(Outcome fallback) {
        return core.seal(fallback);
    }
}
