package dev.weighlock.query.engine;

/**
 * An engine that runs SQL. Thread-safe. Whoever opened it closes it, after the backend that uses it.
 *
 * <p>Engine calls may run native code, which pins the carrier of a virtual thread: every method here and on
 * {@link EngineSession} that is not marked otherwise is called on a platform thread.
 */
public interface QueryEngine extends StatementPlanner {
    /** The name that job files and reports use, such as {@code duckdb}. */
    String name();

    /** Opens a session that is held to its grant. The caller releases it, whatever happens. */
    EngineSession open(SessionRequest request);

    /** Gives back the planner and whatever is kept warm. Sessions still open stay their owners' to release. */
    @Override
    void close();
}
