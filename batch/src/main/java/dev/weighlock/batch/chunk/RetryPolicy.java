package dev.weighlock.batch.chunk;

import java.util.List;

/**
 * Which failures of processing and writing are tried again, and of reading where the reader says that it
 * {@linkplain ItemReader#canReadAgain can}.
 *
 * @param limit how often an item's reading or processing or a chunk's writing is tried again after its first failure
 * @param on exception types, subtypes included; none means every {@link Exception}
 */
public record RetryPolicy(int limit, List<Class<? extends Throwable>> on, Backoff backoff) {
    public static final RetryPolicy NONE = new RetryPolicy(0, List.of(), Backoff.NONE);

    public RetryPolicy {
        on = List.copyOf(on);
        if (limit < 0) {
            throw new IllegalArgumentException("a retry limit must not be negative");
        }
    }

    public static RetryPolicy of(int limit, Backoff backoff) {
        return new RetryPolicy(limit, List.of(), backoff);
    }

    /** Whether the policy speaks of this failure; not whether a limit is reached. */
    public boolean covers(Throwable failure) {
        return limit > 0 && ExceptionTypes.match(on, failure);
    }
}
