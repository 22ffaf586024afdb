package dev.weighlock.query;

import java.time.Duration;
import java.util.Objects;

/**
 * A point of one clock after which work has no right to go on. Expired means at or past the point. Any thread.
 *
 * @param atNanos in the clock's nanoseconds; {@link Long#MAX_VALUE} never expires
 */
public record Deadline(MonotonicClock clock, long atNanos) {
    public Deadline {
        Objects.requireNonNull(clock);
    }

    /** The point {@code timeout} from now; a timeout too long to count never expires. */
    public static Deadline after(MonotonicClock clock, Duration timeout) {
        var now = clock.nanos();
        var nanos = saturatedNanos(timeout);
        return new Deadline(clock, nanos > 0 && now > Long.MAX_VALUE - nanos ? Long.MAX_VALUE : now + nanos);
    }

    public boolean isExpired() {
        return remainingNanos() == 0;
    }

    /** Nanoseconds left, 0 when expired. */
    public long remainingNanos() {
        if (atNanos == Long.MAX_VALUE) {
            return Long.MAX_VALUE;
        }
        var now = clock.nanos();
        return now >= atNanos ? 0 : atNanos - now;
    }

    private static long saturatedNanos(Duration timeout) {
        try {
            return timeout.toNanos();
        } catch (ArithmeticException tooLong) {
            return timeout.isNegative() ? -Long.MAX_VALUE / 2 : Long.MAX_VALUE;
        }
    }
}
