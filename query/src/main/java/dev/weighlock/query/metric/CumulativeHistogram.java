package dev.weighlock.query.metric;

import java.util.ArrayList;
import java.util.List;

/**
 * A distribution of durations as the store keeps it: each bucket counts all samples up to its bound, the last one is
 * +Inf.
 */
public record CumulativeHistogram(DurationBounds bounds, List<Long> bucketCounts, long count, long sumNanos) {
    public CumulativeHistogram {
        bucketCounts = List.copyOf(bucketCounts);
        if (bucketCounts.size() != bounds.buckets()) {
            throw new IllegalArgumentException(bucketCounts.size() + " buckets for " + bounds.buckets());
        }
    }

    /**
     * The same distribution with separate buckets, in seconds.
     *
     * @throws ProjectionException when the counts cannot be those of a distribution
     */
    public DisjointHistogram project(MetricDescriptor descriptor) {
        if (sumNanos < 0) {
            throw new ProjectionException(descriptor, ProjectionException.Cause.DURATION, "a sum of " + sumNanos);
        }
        List<Long> disjoint = new ArrayList<>(bucketCounts.size());
        long previous = 0;
        for (int index = 0; index < bucketCounts.size(); index++) {
            long cumulative = bucketCounts.get(index);
            if (cumulative < previous) {
                throw new ProjectionException(descriptor, index);
            }
            disjoint.add(cumulative - previous);
            previous = cumulative;
        }
        if (previous != count) {
            throw new ProjectionException(
                    descriptor,
                    ProjectionException.Cause.CUMULATIVE_COUNT_MISMATCH,
                    "+Inf counts " + previous + ", the histogram " + count);
        }
        return DisjointHistogram.of(descriptor, bounds.seconds(), disjoint, count, DurationBounds.inSeconds(sumNanos));
    }
}
