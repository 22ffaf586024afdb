package dev.weighlock.query.attempt;

import dev.weighlock.query.AttemptId;
import dev.weighlock.query.QueryException;
import dev.weighlock.query.observe.BoundaryKind;
import dev.weighlock.query.observe.SealDelivery;
import dev.weighlock.query.report.AdmissionFact;
import dev.weighlock.query.report.AdmissionWait;
import dev.weighlock.query.report.FailureSummary;
import dev.weighlock.query.report.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * A claimed attempt: the right to admit it and the duty to finish it, once, with or without a grant. After {@code
 * finish…} whoever holds it seals the attempt with its {@link #reportPublisher}.
 *
 * <p>Any thread. {@link #tryRecordAdmitted} may be called under the admission mutex; everything else with no lock held.
 */
public final class AttemptAdmission {
    private final AttemptFinalizer finalizer;

    AttemptAdmission(AttemptFinalizer finalizer) {
        this.finalizer = finalizer;
    }

    private AttemptCore core() {
        return finalizer.core();
    }

    public AttemptId attemptId() {
        return core().attemptId();
    }

    public Cancellation cancellation() {
        return core().cancellation();
    }

    /** The attempt's clock, which alone dates what is recorded of it. */
    public long clockNanos() {
        return core().now();
    }

    public ReportPublisher reportPublisher() {
        return new ReportPublisher(core());
    }

    public void recordPrimaryFailure(FailureSummary summary) {
        finalizer.recordPrimaryFailure(summary);
    }

    /**
     * Records the grant.
     *
     * @return false when the attempt's outcome was committed first: give the bytes back and finish without a grant
     */
    public boolean tryRecordAdmitted(AdmissionFact fact, @Nullable AdmissionWait wait) {
        return core().inLock(lifecycle -> {
            if (lifecycle.outcome() != null) {
                return false;
            }
            core().cross(BoundaryKind.ADMITTED, (held, at) -> held.admitted(fact, wait, at));
            return true;
        });
    }

    public boolean isAdmitted() {
        return core().inLock(AttemptLifecycle::isAdmitted);
    }

    /** Whether a release hook is kept. */
    public enum Binding {
        BOUND,
        /** The outcome is committed already: whoever wanted to bind releases. */
        ALREADY_TERMINAL
    }

    /**
     * Has {@code release} called once when the outcome is committed, on the committing thread with no lock held. It asks
     * for the release and returns; it does not wait for work that still runs.
     */
    public Binding bindGrantRelease(Runnable release) {
        return core().bindGrantRelease(release) ? Binding.BOUND : Binding.ALREADY_TERMINAL;
    }

    /** The attempt's outcome for the release: committed, else that of a captured failure, else {@code fallback}. */
    public Outcome terminalizeForRelease(Outcome fallback) {
        return core().resolveOutcome(fallback);
    }

    /** Finishes an attempt that got no grant. @return the outcome to seal with; a committed one wins */
    public Outcome finishNotAdmitted(Outcome fallback) {
        return finalizer.finishNotAdmitted(fallback);
    }

    /** Finishes an admitted attempt after its cleanup; its outcome is committed by then. */
    public void finishAdmitted(TerminalCommit commit) {
        finalizer.finishAdmitted(commit);
    }

    /**
     * Ends a queued attempt without a grant: records why, finishes and seals. An effective cancellation supersedes {@code
     * error}, and a committed outcome supersedes both.
     *
     * @return what tells the seal observers
     */
    public SealDelivery refuse(QueryException error) {
        var refusal = Refusal.of(error, core().cancellation());
        finalizer.recordPrimaryFailure(refusal.summary());
        return core().seal(finalizer.finishNotAdmitted(refusal.outcome()));
    }
}
