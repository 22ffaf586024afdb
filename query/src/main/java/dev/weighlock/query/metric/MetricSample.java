package dev.weighlock.query.metric;

import java.util.List;

/** One series at one moment, its attributes in the descriptor's order. */
public sealed interface MetricSample {
    List<MetricAttribute> attributes();

    /** A gauge or a counter. */
    record Scalar(List<MetricAttribute> attributes, long value) implements MetricSample {
        public Scalar {
            attributes = List.copyOf(attributes);
        }
    }

    /** A distribution in the descriptor's unit. */
    record Histogram(List<MetricAttribute> attributes, DisjointHistogram value) implements MetricSample {
        public Histogram {
            attributes = List.copyOf(attributes);
        }
    }
}
