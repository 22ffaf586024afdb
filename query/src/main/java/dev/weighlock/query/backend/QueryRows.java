package dev.weighlock.query.backend;

import dev.weighlock.query.engine.ResultColumn;
import dev.weighlock.query.engine.Row;
import java.util.List;
import java.util.Optional;

/**
 * The rows of one query, for one reader of any kind of thread. Rows not yet read are charged to the grant and hold the
 * engine back; an interrupt while waiting cancels the query and stays set. Every method throws the query's
 * {@link dev.weighlock.query.QueryException} once it has failed.
 */
public interface QueryRows extends AutoCloseable {
    /** Waits until the engine knows them. */
    List<ResultColumn> columns();

    /** Waits for the next row; empty at the proved end. */
    Optional<Row> next();

    /** The rest, in memory that nobody counts: for results that are known to be small. */
    List<Row> toList();

    /** Cancels the query where its end was not reached. Idempotent. */
    @Override
    void close();
}
