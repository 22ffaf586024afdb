package dev.weighlock.jobs.query;

import dev.weighlock.batch.stop.StopToken;
import dev.weighlock.jobs.file.SqlSource;
import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.QueryException;
import dev.weighlock.query.backend.QueryHandle;
import dev.weighlock.query.backend.QueryRequest;
import dev.weighlock.query.backend.QuerySummary;
import dev.weighlock.query.report.CancelReason;

/** Runs one query for a step: a stop of the step cancels it, whether it waits or runs. */
public final class QueryRun {
    private QueryRun() {}

    /** How a query ended that did not fail. */
    public sealed interface End<T> {
        /** With what the step took from it. */
        record Done<T>(T value, QuerySummary summary) implements End<T> {}

        /** The step was stopped. */
        record Stopped<T>() implements End<T> {}
    }

    /** Takes rows or the file from a query; called once, on the step's thread. */
    @FunctionalInterface
    public interface Taking<T> {
        T take(QueryHandle handle) throws InterruptedException;
    }

    /** Tells what became of a query, also of one that failed. */
    @FunctionalInterface
    public interface Observer {
        /** An observer that records nothing. */
        Observer NONE = summary -> {};

        void sealed(QuerySummary summary);
    }

    /**
     * Submits and waits.
     *
     * @param sql where the query stands in the job, for the message of its failure
     * @throws dev.weighlock.jobs.StepFailure where the query fails
     */
    public static <T> End<T> run(
            Queries queries, QueryRequest request, SqlSource sql, StopToken stop, Taking<T> taking, Observer observer)
            throws InterruptedException {
        if (stop.isStopRequested()) {
            return new End.Stopped<>();
        }
        try {
            QueryHandle handle = queries.submit(request);
            try (StopToken.Registration _ = stop.onStop(() -> handle.cancel(CancelReason.CALLER))) {
                return taken(handle, taking, observer);
            }
        } catch (QueryException failure) {
            boolean cancelled = failure.code() == ErrorCode.CANCELLED && !QueryFailures.isDeadline(failure);
            if (cancelled && stop.isStopRequested()) {
                return new End.Stopped<>();
            }
            throw QueryFailures.of(failure, sql);
        }
    }

    private static <T> End<T> taken(QueryHandle handle, Taking<T> taking, Observer observer)
            throws InterruptedException {
        try {
            T value = taking.take(handle);
            QuerySummary summary = handle.await();
            observer.sealed(summary);
            return new End.Done<>(value, summary);
        } catch (QueryException failure) {
            observer.sealed(handle.await());
            throw failure;
        } catch (InterruptedException | RuntimeException broken) {
            // Nobody will read on: what the query holds must not stay held.
            handle.cancel(CancelReason.CALLER);
            throw broken;
        }
    }
}
