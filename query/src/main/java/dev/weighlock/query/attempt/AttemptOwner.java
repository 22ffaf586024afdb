package dev.weighlock.query.attempt;

import dev.weighlock.query.AttemptId;
import dev.weighlock.query.QueryException;
import dev.weighlock.query.report.AttemptReport;
import dev.weighlock.query.report.FailureSummary;
import dev.weighlock.query.report.Outcome;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The authority over one attempt: it alone fixes the outcome, and it gives out every other right. There is one for each
 * attempt; whoever began the attempt closes it. Any thread, though one thread at a time makes sense.
 *
 * <p>Committing an outcome publishes the report at once when no admission holds the attempt. Else it asks for the
 * grant's release, and the report follows when cleanup is over.
 */
public final class AttemptOwner implements AutoCloseable {
    final AttemptCore core;

    AttemptOwner(AttemptCore core) {
        this.core = core;
    }

    public AttemptId attemptId() {
        return core.attemptId();
    }

    /** The right to record, for whatever works on this attempt. */
    public AttemptHandle handle() {
        return new AttemptHandle(core);
    }

    public Cancellation cancellation() {
        return core.cancellation();
    }

    public AdmissionBinding admissionBinding() {
        return new AdmissionBinding(core);
    }

    public AdmissionRejection admissionRejection() {
        return new AdmissionRejection(core);
    }

    /** A counted receiver of the report, which the caller closes. */
    public AttemptCompletion completion() {
        return new AttemptCompletion(
                core.attemptId(),
                core.publication(),
                core.environment().lifecycle().openHandles());
    }

    /**
     * Has {@code sink} shown the report on the publishing thread, with no lock held, before any receiver sees it; at
     * once when the report is published already. What it throws is logged.
     */
    public void registerReportSink(Consumer<AttemptReport> sink) {
        core.publication().registerSink(sink);
    }

    /**
     * Runs the work and commits what became of it, unless another outcome was committed meanwhile: a value is {@code
     * SUCCEEDED}, a {@link QueryException} its own outcome, an interruption {@code CANCELLED}, anything else thrown {@code
     * PANICKED}.
     *
     * @return what the work returned
     * @throws Exception what the work threw, untouched
     */
    public <T extends @Nullable Object> T run(Callable<T> work) throws Exception {
        T value;
        try {
            value = work.call();
        } catch (QueryException error) {
            tryCommit(Outcome.of(error), core.summaryOf(error));
            throw error;
        } catch (InterruptedException interrupted) {
            tryCommitCancelled(Outcome.CANCELLED);
            throw interrupted;
        } catch (Throwable panic) {
            tryCommit(Outcome.PANICKED, null);
            throw panic;
        }
        tryCommit(Outcome.SUCCEEDED, null);
        return value;
    }

    /**
     * Commits the outcome.
     *
     * @throws AttemptLifecycleException {@code DOUBLE_TERMINALIZATION} when there is one; it stands
     */
    public void commitTerminal(Outcome outcome) {
        commit(outcome, null);
    }

    /** Commits what an error means and keeps its bounded summary; the error stays the caller's, causes and all. */
    public void commitQueryError(QueryException error) {
        commit(Outcome.of(error), core.summaryOf(error));
    }

    /** Commits a failure of which an adapter knows only the summary. */
    public void commitFailureSummary(FailureSummary summary) {
        commit(Outcome.of(summary), summary);
    }

    private void commit(Outcome outcome, @Nullable FailureSummary failure) {
        if (!tryCommit(outcome, failure)) {
            throw AttemptLifecycleException.doubleTerminalization();
        }
    }

    private boolean tryCommit(Outcome outcome, @Nullable FailureSummary failure) {
        var committed = core.tryTerminalize(outcome, failure);
        if (committed) {
            core.finishCommitted(outcome);
        }
        return committed;
    }

    private void tryCommitCancelled(Outcome otherwise) {
        var cancelled = core.cancellation().error("attempt.owner_drop");
        if (cancelled.isPresent()) {
            tryCommit(Outcome.CANCELLED, core.summaryOf(cancelled.get()));
        } else {
            tryCommit(otherwise, null);
        }
    }

    /**
     * Lets go. An attempt that has no outcome yet ends with its effective cancellation, else as {@code DROPPED}. It
     * cannot see an exception that is on its way past it: use {@link #run}, which can. Closing again does nothing.
     */
    @Override
    public void close() {
        tryCommitCancelled(Outcome.DROPPED);
    }
}
