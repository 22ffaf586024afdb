package dev.weighlock.query.metric;

import java.util.Arrays;

/** The counts of one histogram; saturating. Not thread-safe: the store's lock guards it. */
final class HistogramCounts {
    private final DurationBounds bounds;
    private final long[] buckets;
    private long count;
    private long sumNanos;

    HistogramCounts(DurationBounds bounds) {
        this.bounds = bounds;
        this.buckets = new long[bounds.buckets()];
    }

    HistogramCounts record(long nanos) {
        for (int index = 0; index < bounds.nanos().size(); index++) {
            if (nanos <= bounds.nanos().get(index)) {
                buckets[index] = saturatedSum(buckets[index], 1);
            }
        }
        buckets[buckets.length - 1] = saturatedSum(buckets[buckets.length - 1], 1);
        count = saturatedSum(count, 1);
        sumNanos = saturatedSum(sumNanos, nanos);
        return this;
    }

    CumulativeHistogram snapshot() {
        return new CumulativeHistogram(bounds, Arrays.stream(buckets).boxed().toList(), count, sumNanos);
    }

    static long saturatedSum(long value, long more) {
        return value > Long.MAX_VALUE - more ? Long.MAX_VALUE : value + more;
    }
}
