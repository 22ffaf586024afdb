package dev.weighlock.query.metric;

import dev.weighlock.query.report.AttemptDurations;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;

/** Counters and histograms of finished attempts, every series from the start. The store's lock guards it. */
final class AttemptCounts {
    private final Map<AttemptSeries, Long> completed = new LinkedHashMap<>();
    private final Map<DurationSeries, HistogramCounts> durations = histograms(DurationBounds.SHORT);
    private final Map<DurationSeries, HistogramCounts> longDurations = histograms(DurationBounds.LONG);

    AttemptCounts() {
        AttemptSeries.ALL.forEach(series -> completed.put(series, 0L));
    }

    void record(AttemptSeries series, AttemptDurations of) {
        completed.merge(series, 1L, HistogramCounts::saturatedSum);
        for (DurationKind kind : DurationKind.values()) {
            OptionalLong nanos = kind.nanos(of);
            if (nanos.isPresent()) {
                record(new DurationSeries(series, kind), nanos.getAsLong());
            }
        }
    }

    private void record(DurationSeries series, long nanos) {
        durations.computeIfPresent(series, (_, counts) -> counts.record(nanos));
        longDurations.computeIfPresent(series, (_, counts) -> counts.record(nanos));
    }

    Map<AttemptSeries, Long> completed() {
        return Collections.unmodifiableMap(new LinkedHashMap<>(completed));
    }

    Map<DurationSeries, CumulativeHistogram> durations() {
        return snapshots(durations);
    }

    Map<DurationSeries, CumulativeHistogram> longDurations() {
        return snapshots(longDurations);
    }

    private static Map<DurationSeries, HistogramCounts> histograms(DurationBounds bounds) {
        Map<DurationSeries, HistogramCounts> histograms = new LinkedHashMap<>();
        DurationSeries.ALL.forEach(series -> histograms.put(series, new HistogramCounts(bounds)));
        return histograms;
    }

    private static Map<DurationSeries, CumulativeHistogram> snapshots(Map<DurationSeries, HistogramCounts> counts) {
        Map<DurationSeries, CumulativeHistogram> snapshots = new LinkedHashMap<>();
        counts.forEach((series, count) -> snapshots.put(series, count.snapshot()));
        return Collections.unmodifiableMap(snapshots);
    }
}
