package dev.weighlock.query.backend;

import java.time.Duration;

/**
 * How much a backend keeps for paging.
 *
 * @param time a result is kept for so long after its last row was there, read or not
 * @param count so many results at most; one more ends the longest unread, one with an open page last
 * @param bytes so much of one result at most, and no more than half of its query's result allowance; a larger one fails
 *     its query
 */
public record KeptResultLimits(Duration time, int count, long bytes) {
    /** Ten minutes, 16 results, 32 MiB each. */
    public static final KeptResultLimits DEFAULT = new KeptResultLimits(Duration.ofMinutes(10), 16, 32L << 20);

    public KeptResultLimits {
        if (!time.isPositive() || count < 1 || bytes < 1) {
            throw new IllegalArgumentException(
                    "kept results need a positive time, count and size, not " + time + ", " + count + ", " + bytes);
        }
    }
}
