package dev.weighlock.query.metric;

import dev.weighlock.query.device.DeviceProfile;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * All metrics of one backend generation at one moment. Reads with different generations must not be combined. Every
 * series is always present, in the order disposition, outcome, duration.
 *
 * @param generation counts the store's updates
 * @param slots one per ordinal, null where the backend has no device
 * @param completed all series, in order, like the maps after it
 */
public record MetricsSnapshot(
        long backendGeneration,
        long generation,
        List<@Nullable DeviceMetrics> slots,
        Map<AttemptSeries, Long> completed,
        Map<DurationSeries, CumulativeHistogram> durations,
        Map<DurationSeries, CumulativeHistogram> longDurations) {
    public MetricsSnapshot {
        slots = Collections.unmodifiableList(new ArrayList<>(slots));
    }

    public Optional<DeviceMetrics> device(int ordinal) {
        return ordinal < 0 || ordinal >= DeviceProfile.DEVICE_SLOTS
                ? Optional.empty()
                : Optional.ofNullable(slots.get(ordinal));
    }

    public long completed(AttemptSeries series) {
        return completed.getOrDefault(series, 0L);
    }

    public Optional<CumulativeHistogram> duration(AttemptSeries series, DurationKind kind) {
        return Optional.ofNullable(durations.get(new DurationSeries(series, kind)));
    }

    public boolean isTornAgainst(MetricsSnapshot other) {
        return backendGeneration != other.backendGeneration || generation != other.generation;
    }

    /**
     * The samples of one metric; the only place that knows units, labels and buckets.
     *
     * @throws ProjectionException for a descriptor that is not the metric's own, or counts that contradict each other
     */
    public List<MetricSample> project(MetricDescriptor descriptor) {
        if (!descriptor.equals(descriptor.metric().descriptor())) {
            throw new ProjectionException(
                    descriptor, ProjectionException.Cause.NON_CANONICAL_DESCRIPTOR, "not the metric's own descriptor");
        }
        return switch (descriptor.metric()) {
            case ADMISSION_ACTIVE_ATTEMPTS -> gauges(DeviceMetrics::activeAttempts);
            case ADMISSION_LIVE_GRANT_BYTES -> gauges(DeviceMetrics::liveGrantBytes);
            case ADMISSION_RESIDENT_OWNER_BYTES -> gauges(DeviceMetrics::residentOwnerBytes);
            case ADMISSION_MAX_RESIDENT_OWNER_BYTES -> gauges(DeviceMetrics::maxResidentOwnerBytes);
            case CACHE_EVICTABLE_RESIDENT_BYTES -> gauges(DeviceMetrics::cacheEvictableBytes);
            case CACHE_PINNED_IN_USE_BYTES -> gauges(DeviceMetrics::cachePinnedBytes);
            case ATTEMPTS_COMPLETED -> counters();
            case ATTEMPTS_DURATION -> histograms(descriptor, durations);
            case ATTEMPTS_LONG_DURATION -> histograms(descriptor, longDurations);
        };
    }

    private List<MetricSample> gauges(ToLongFunction<DeviceMetrics> value) {
        List<MetricSample> samples = new ArrayList<>();
        for (DeviceMetrics device : slots) {
            if (device != null) {
                String ordinal = Integer.toString(device.deviceOrdinal());
                samples.add(new MetricSample.Scalar(
                        List.of(new MetricAttribute(MetricLabel.DEVICE, ordinal)), value.applyAsLong(device)));
            }
        }
        return samples;
    }

    private List<MetricSample> counters() {
        List<MetricSample> samples = new ArrayList<>();
        completed.forEach((series, count) -> samples.add(new MetricSample.Scalar(attributes(series), count)));
        return samples;
    }

    private static List<MetricSample> histograms(
            MetricDescriptor descriptor, Map<DurationSeries, CumulativeHistogram> bySeries) {
        List<MetricSample> samples = new ArrayList<>();
        bySeries.forEach((series, histogram) -> {
            List<MetricAttribute> attributes = new ArrayList<>(attributes(series.attempts()));
            attributes.add(new MetricAttribute(MetricLabel.DURATION, value(series.kind())));
            samples.add(new MetricSample.Histogram(attributes, histogram.project(descriptor)));
        });
        return samples;
    }

    private static List<MetricAttribute> attributes(AttemptSeries series) {
        return List.of(
                new MetricAttribute(MetricLabel.DISPOSITION, value(series.disposition())),
                new MetricAttribute(MetricLabel.OUTCOME, value(series.outcome())));
    }

    private static String value(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
