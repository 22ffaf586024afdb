package dev.weighlock.jobs.query;

import dev.weighlock.query.backend.QueryHandle;
import dev.weighlock.query.backend.QueryRequest;

/** Where steps send their queries: a backend of the process. Thread-safe. */
@FunctionalInterface
public interface Queries {
    QueryHandle submit(QueryRequest request);
}
