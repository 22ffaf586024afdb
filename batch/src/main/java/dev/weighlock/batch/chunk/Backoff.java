package dev.weighlock.batch.chunk;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long to wait before trying again. A stop ends the wait.
 *
 * @param initial before the first retry
 * @param max no wait is longer
 * @param factor each wait is this much longer than the last; 1 is a fixed wait
 * @param jitter each wait is shortened by a random part of up to this fraction, 0 to 1
 */
public record Backoff(Duration initial, Duration max, double factor, double jitter) {
    public static final Backoff NONE = new Backoff(Duration.ZERO, Duration.ZERO, 1, 0);

    public Backoff {
        if (initial.isNegative() || max.compareTo(initial) < 0) {
            throw new IllegalArgumentException("a back-off needs 0 <= initial <= max");
        }
        if (!(factor >= 1 && factor <= 100) || !(jitter >= 0 && jitter <= 1)) {
            throw new IllegalArgumentException("a back-off needs a factor of 1 to 100 and a jitter of 0 to 1");
        }
    }

    public static Backoff fixed(Duration wait) {
        return new Backoff(wait, wait, 1, 0);
    }

    public static Backoff exponential(Duration initial, Duration max) {
        return new Backoff(initial, max, 2, 0);
    }

    /** @param retry 1 for the first */
    public Duration wait(int retry, RandomGenerator random) {
        double nanos = Math.min(initial.toNanos() * Math.pow(factor, retry - 1), (double) max.toNanos());
        return Duration.ofNanos((long) (nanos * (1 - jitter * random.nextDouble())));
    }
}
