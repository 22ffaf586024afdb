package dev.weighlock.query.metric;

import java.util.List;

/** The upper bounds of duration buckets in nanoseconds, inclusive; after the last one follows +Inf. */
public record DurationBounds(List<Long> nanos) {
    /** 1 µs to 1 s by tens. */
    public static final DurationBounds SHORT = new DurationBounds(
            List.of(1_000L, 10_000L, 100_000L, 1_000_000L, 10_000_000L, 100_000_000L, 1_000_000_000L));
    /** 100 ms to 10 min. */
    public static final DurationBounds LONG = new DurationBounds(List.of(
            100_000_000L,
            1_000_000_000L,
            10_000_000_000L,
            30_000_000_000L,
            60_000_000_000L,
            300_000_000_000L,
            600_000_000_000L));

    private static final double SECOND = 1e9;

    public DurationBounds {
        nanos = List.copyOf(nanos);
    }

    /** The buckets, +Inf included. */
    public int buckets() {
        return nanos.size() + 1;
    }

    List<Double> seconds() {
        return nanos.stream().map(DurationBounds::inSeconds).toList();
    }

    static double inSeconds(long nanos) {
        return nanos / SECOND;
    }
}
