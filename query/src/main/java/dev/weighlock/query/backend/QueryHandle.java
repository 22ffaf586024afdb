package dev.weighlock.query.backend;

import dev.weighlock.query.AttemptId;
import dev.weighlock.query.engine.FileResult;
import dev.weighlock.query.report.CancelReason;
import java.util.Optional;

/**
 * One submitted query. Thread-safe. Closing nothing leaks nothing: the query ends by itself, by its deadline or with the
 * backend; but rows that nobody reads keep their grant until then.
 */
public interface QueryHandle {
    AttemptId attemptId();

    QueryRequest request();

    QueryState state();

    /**
     * The rows of a {@link QueryWork.Select}; the same object every time.
     *
     * @throws IllegalStateException where the request declares a file
     */
    QueryRows rows();

    /**
     * Waits until the query is sealed and gives its file.
     *
     * @throws dev.weighlock.query.QueryException the query's failure
     * @throws IllegalStateException where the request is a select
     */
    FileResult awaitFile() throws InterruptedException;

    /** Waits until the query is sealed; never throws its failure. A select is sealed only once its rows are read. */
    QuerySummary await() throws InterruptedException;

    /** The summary, once sealed. */
    Optional<QuerySummary> summary();

    QueryProgress progress();

    /** Asks the query to end; returns at once. The first reason counts; an ended query stays as it is. */
    void cancel(CancelReason reason);
}
