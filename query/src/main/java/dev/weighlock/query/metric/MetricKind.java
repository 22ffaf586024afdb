package dev.weighlock.query.metric;

/** How a metric's values are to be read. */
public enum MetricKind {
    GAUGE,
    COUNTER,
    HISTOGRAM
}
