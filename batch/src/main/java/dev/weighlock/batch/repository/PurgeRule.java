package dev.weighlock.batch.repository;

import java.time.Instant;

/**
 * Which instances may go: those whose executions all ended before {@code endedBefore}, but for the newest of each job,
 * held ones, and ones whose outcome is unknown.
 *
 * @param keepLast how many of a job's newest instances stay, 0 to 10,000
 */
public record PurgeRule(Instant endedBefore, int keepLast) {
    private static final int MOST = 10_000;

    public PurgeRule {
        if (keepLast < 0 || keepLast > MOST) {
            throw new IllegalArgumentException("0 to " + MOST + " instances may be kept, not " + keepLast);
        }
    }
}
