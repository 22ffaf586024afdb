package dev.weighlock.query.backend;

import java.time.Duration;

/** Where a query is. It only moves forward, and may skip any but the last. */
public sealed interface QueryState {
    /** Parsed and classified; nothing is granted. */
    record Planning() implements QueryState {}

    /**
     * In the queue.
     *
     * @param reason why, and what would admit it, for people
     */
    record Waiting(Duration since, String reason) implements QueryState {}

    /** Inside its grant, up to the last row handed over. */
    record Running(long grantBytes) implements QueryState {}

    /** Its outcome is fixed; the grant counts until the engine proves that it let go. */
    record Cleaning(long grantBytes, Duration since) implements QueryState {}

    /** Sealed. */
    record Done(QuerySummary summary) implements QueryState {}
}
