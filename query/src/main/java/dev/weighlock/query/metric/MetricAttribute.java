package dev.weighlock.query.metric;

/** One label with its value. */
public record MetricAttribute(MetricLabel label, String value) {}
