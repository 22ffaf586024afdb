package dev.weighlock.query.engine;

import java.util.List;
import java.util.Optional;

/**
 * The rows of a running query, pulled batch by batch: the engine works ahead only as far as its own small buffer goes.
 * Used by the session's thread; closed by whoever executed.
 */
public interface ResultStream extends AutoCloseable {
    List<ResultColumn> columns();

    /**
     * The next rows; empty at the end. An end is an end: a stream that broke off throws, also when the engine presents
     * it as finished.
     *
     * @throws dev.weighlock.query.QueryException RESULT_INCOMPLETE where the end could not be proved
     */
    Optional<RowBatch> fetch();

    /** Rows fetched so far. */
    long rows();

    /** Bytes fetched so far, by the measure of {@link RowBatch#bytes}. */
    long bytes();

    /** Whether the end was reached and proved. */
    boolean isComplete();

    /** Ends the query where it has not ended. Idempotent. */
    @Override
    void close();
}
