package dev.weighlock.query.engine;

import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.QueryException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * One attempt's place in an engine: it runs one statement under its grant and is released once.
 *
 * <p>{@link #cancel}, {@link #usage} and {@link #progress} may be called by any thread at any time. Everything else is
 * called by one thread at a time, a platform thread. Every failure is a
 * {@link dev.weighlock.query.QueryException}; after a cancel it carries the code CANCELLED.
 */
public interface EngineSession {
    /** Runs a query whose rows are then fetched. The stream is closed before anything else is run. */
    ResultStream execute(PlannedStatement statement);

    /**
     * Runs a query and writes its rows to a new file. The caller names a temporary file inside a write directory,
     * forces it to disk and renames it; after a failure the caller deletes it.
     */
    FileResult executeToFile(PlannedStatement statement, FileOutput output, Path temporary);

    /**
     * Runs a query and writes its rows as an Arrow IPC stream, batch by batch; what is in memory at once is charged to the
     * result allowance. The end mark is written only once the end is proved.
     *
     * @param out flushed and not closed; where it takes no more the query ends
     * @return how many rows were written
     * @throws dev.weighlock.query.QueryException INVALID_CONFIGURATION where the engine, or this JVM, has no Arrow
     */
    default long executeToArrow(PlannedStatement statement, OutputStream out) {
        throw new QueryException(ErrorCode.INVALID_CONFIGURATION, "execute", "this engine gives no Arrow results");
    }

    /** Writes the rows of a source, in its order, to a new file named by the caller. Closes the source. */
    FileResult importRows(RowSource rows, FileOutput output, Path temporary);

    /**
     * Ends what runs, or what is run next: a cancel that comes before execute is kept. Returns at once, without a
     * promise when the engine will have stopped.
     */
    void cancel();

    /** How much of the statement is done, from 0 to 1, where the engine can tell. */
    OptionalDouble progress();

    /** The highest use, once the statement has ended; empty where the engine cannot tell. */
    Optional<SessionUsage> usage();

    /** The operators of the statement that ended last; empty where it did not end or the engine cannot tell. */
    default Optional<StatementProfile> profile() {
        return Optional.empty();
    }

    /** Ends the session and tells whether the engine has let everything go. Idempotent: the first answer stands. */
    SessionRelease release();
}
