package dev.weighlock.query.metric;

import java.util.List;

/** A distribution as exporters want it: separate buckets, the last one beyond every bound, all in seconds. */
public record DisjointHistogram(List<Double> boundsSeconds, List<Long> bucketCounts, long count, double sumSeconds) {
    public DisjointHistogram {
        boundsSeconds = List.copyOf(boundsSeconds);
        bucketCounts = List.copyOf(bucketCounts);
    }

    static DisjointHistogram of(
            MetricDescriptor descriptor,
            List<Double> boundsSeconds,
            List<Long> bucketCounts,
            long count,
            double sumSeconds) {
        long sum = bucketCounts.stream().mapToLong(Long::longValue).sum();
        if (sum != count) {
            throw new ProjectionException(
                    descriptor,
                    ProjectionException.Cause.DISJOINT_COUNT_MISMATCH,
                    "the buckets count " + sum + ", the histogram " + count);
        }
        return new DisjointHistogram(boundsSeconds, bucketCounts, count, sumSeconds);
    }
}
