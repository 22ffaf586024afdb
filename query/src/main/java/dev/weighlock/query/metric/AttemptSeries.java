package dev.weighlock.query.metric;

import dev.weighlock.query.report.Disposition;
import dev.weighlock.query.report.OutcomeKind;
import java.util.Arrays;
import java.util.List;

/** What tells apart the series of finished attempts. */
public record AttemptSeries(Disposition disposition, OutcomeKind outcome) {
    /** Every series, by disposition, then outcome. */
    public static final List<AttemptSeries> ALL = Arrays.stream(Disposition.values())
            .flatMap(disposition ->
                    Arrays.stream(OutcomeKind.values()).map(outcome -> new AttemptSeries(disposition, outcome)))
            .toList();
}
