package dev.weighlock.query.metric;

import java.util.List;

/**
 * What an exporter has to know of a metric.
 *
 * @param unit in UCUM
 * @param labels in the order in which samples carry them
 */
public record MetricDescriptor(
        BackendMetric metric, String name, MetricKind kind, String unit, List<MetricLabel> labels) {
    public MetricDescriptor {
        labels = List.copyOf(labels);
    }
}
