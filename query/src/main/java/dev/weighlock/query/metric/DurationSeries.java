package dev.weighlock.query.metric;

import java.util.Arrays;
import java.util.List;

/** What tells apart the duration histograms of finished attempts. */
public record DurationSeries(AttemptSeries attempts, DurationKind kind) {
    /** Every series, by disposition, then outcome, then duration. */
    public static final List<DurationSeries> ALL = AttemptSeries.ALL.stream()
            .flatMap(attempts -> Arrays.stream(DurationKind.values()).map(kind -> new DurationSeries(attempts, kind)))
            .toList();
}
