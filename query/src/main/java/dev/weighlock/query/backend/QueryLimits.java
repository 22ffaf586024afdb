package dev.weighlock.query.backend;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How much a query may take.
 *
 * @param capBytes the grant to ask for; null takes the pool's or the device's default
 * @param pool whose share and queue the query uses
 * @param deadline from submission over queue, planning, execution and fetching; null is none
 * @param maxRows a result with more rows fails with RESULT_LIMIT_EXCEEDED; null is no limit
 * @param firstRows ends the query with success after so many rows; null fetches all
 */
public record QueryLimits(
        @Nullable Long capBytes,
        String pool,
        @Nullable Duration deadline,
        @Nullable Long maxRows,
        @Nullable Long firstRows) {
    public static final String DEFAULT_POOL = "default";
    public static final QueryLimits DEFAULT = new QueryLimits(null, DEFAULT_POOL, null, null, null);

    public QueryLimits {
        if (pool.isBlank()) {
            throw new IllegalArgumentException("the pool's name is blank");
        }
        if (deadline != null && !deadline.isPositive()) {
            throw new IllegalArgumentException("the deadline must be positive, not " + deadline);
        }
        if (capBytes != null && capBytes < 0) {
            throw new IllegalArgumentException("the grant to ask for cannot be negative: " + capBytes + " bytes");
        }
        requirePositive("maxRows", maxRows);
        requirePositive("firstRows", firstRows);
    }

    private static void requirePositive(String name, @Nullable Long rows) {
        if (rows != null && rows < 1) {
            throw new IllegalArgumentException(name + " must be positive, not " + rows);
        }
    }
}
