package dev.weighlock.query.metric;

import static dev.weighlock.query.metric.MetricLabel.DEVICE;
import static dev.weighlock.query.metric.MetricLabel.DISPOSITION;
import static dev.weighlock.query.metric.MetricLabel.DURATION;
import static dev.weighlock.query.metric.MetricLabel.OUTCOME;

import java.util.Arrays;
import java.util.List;

/** The closed set of metrics, each with its one descriptor. */
public enum BackendMetric {
    ADMISSION_ACTIVE_ATTEMPTS("weighlock.admission.active_attempts", MetricKind.GAUGE, "1", DEVICE),
    ADMISSION_LIVE_GRANT_BYTES("weighlock.admission.live_grant_bytes", MetricKind.GAUGE, "By", DEVICE),
    ADMISSION_RESIDENT_OWNER_BYTES("weighlock.admission.resident_owner_bytes", MetricKind.GAUGE, "By", DEVICE),
    ADMISSION_MAX_RESIDENT_OWNER_BYTES("weighlock.admission.max_resident_owner_bytes", MetricKind.GAUGE, "By", DEVICE),
    ATTEMPTS_COMPLETED("weighlock.attempts.completed", MetricKind.COUNTER, "1", DISPOSITION, OUTCOME),
    ATTEMPTS_DURATION("weighlock.attempts.duration", MetricKind.HISTOGRAM, "s", DISPOSITION, OUTCOME, DURATION),
    /** The same durations with bounds up to ten minutes, for work that takes longer than a second. */
    ATTEMPTS_LONG_DURATION(
            "weighlock.attempts.long_duration", MetricKind.HISTOGRAM, "s", DISPOSITION, OUTCOME, DURATION),
    CACHE_EVICTABLE_RESIDENT_BYTES("weighlock.cache.evictable_resident_bytes", MetricKind.GAUGE, "By", DEVICE),
    CACHE_PINNED_IN_USE_BYTES("weighlock.cache.pinned_in_use_bytes", MetricKind.GAUGE, "By", DEVICE);

    @SuppressWarnings("ImmutableEnumChecker") // a record of immutable parts
    private final MetricDescriptor descriptor;

    BackendMetric(String name, MetricKind kind, String unit, MetricLabel... labels) {
        this.descriptor = new MetricDescriptor(this, name, kind, unit, List.of(labels));
    }

    public MetricDescriptor descriptor() {
        return descriptor;
    }

    /** Every descriptor, in order. */
    public static List<MetricDescriptor> descriptors() {
        return Arrays.stream(values()).map(BackendMetric::descriptor).toList();
    }
}
