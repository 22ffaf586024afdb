package dev.weighlock.query.observe;

import dev.weighlock.query.report.AttemptReport;
import dev.weighlock.query.report.ObservationCompleteness;
import dev.weighlock.query.report.Outcome;
import java.util.List;

/** The end of an observation: how it ended, what was lost, and the attempt's report, the same object that receivers get. */
public record ObservationFooter(
        Outcome outcome, ObservationCompleteness completeness, List<Loss> losses, AttemptReport report) {
    public ObservationFooter {
        losses = List.copyOf(losses);
    }
}
