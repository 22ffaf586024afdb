package dev.weighlock.query.backend;

import dev.weighlock.query.engine.QueryEngine;

/**
 * Runs queries, each inside a grant that it waits for first. Thread-safe. Whoever opened it closes it.
 */
public final class QueryBackend implements AutoCloseable {
    private final BackendSettings settings;
    private final QueryEngine engine;

    private QueryBackend(BackendSettings settings, QueryEngine engine) {
        this.settings = settings;
        this.engine = engine;
    }

    /**
     * Opens a backend on one engine.
     *
     * @param engine stays its opener's to close, after this backend
     */
    public static QueryBackend open(BackendSettings settings, QueryEngine engine) {
        return new QueryBackend(settings, engine);
    }

    /**
     * Takes a query. Returns at once; whatever happens to the query is told by its handle, its refusal too.
     *
     * @throws dev.weighlock.query.QueryException CANCELLED with the reason backend_closing once close has begun
     */
    @SuppressWarnings("DoNotCallSuggester") // callers are right to build on the signature
    public QueryHandle submit(QueryRequest request) {
        throw new UnsupportedOperationException(
                "running queries on " + engine.name() + " with " + settings + " is not built yet: " + request.label());
    }

    /** Refuses new queries, cancels queued and running ones and waits until all are sealed. */
    @Override
    public void close() {}
}
