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
     * @throws IllegalStateException where the request is no select
     */
    QueryRows rows();

    /**
     * Waits until the query is sealed and gives its file.
     *
     * @throws dev.weighlock.query.QueryException the query's failure
     * @throws IllegalStateException where the request declares no file
     */
    FileResult awaitFile() throws InterruptedException;

    /**
     * Waits until the query is sealed and gives its result, which is then kept for paging: charged as what it takes, no
     * longer as the query's grant.
     *
     * @throws dev.weighlock.query.QueryException the query's failure; RESULT_LIMIT_EXCEEDED where the result is larger
     *     than what may be kept
     * @throws IllegalStateException where the request is no {@link QueryWork.KeepPages}
     */
    PagedResult awaitPages() throws InterruptedException;

    /** Waits until the query is sealed; never throws its failure. A select is sealed only once its rows are read. */
    QuerySummary await() throws InterruptedException;

    /** The summary, once sealed. */
    Optional<QuerySummary> summary();

    QueryProgress progress();

    /** Asks the query to end; returns at once. The first reason counts; an ended query stays as it is. */
    void cancel(CancelReason reason);
}
