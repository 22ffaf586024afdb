package dev.weighlock.query.report;

import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The durations of one attempt in nanoseconds; one that cannot be told is empty and no sample.
 *
 * @param total submitted to report ready, cleanup included
 * @param queueWait admission requested to grant
 * @param physicalExecution physical start to terminal outcome
 */
public record AttemptDurations(
        OptionalLong total, OptionalLong planning, OptionalLong queueWait, OptionalLong physicalExecution) {
    public static AttemptDurations of(Timestamps at) {
        return new AttemptDurations(
                between(at.submitted(), at.reportReady()),
                between(at.planningStarted(), at.planningFinished()),
                between(at.admissionRequested(), at.admitted()),
                between(at.physicalExecutionStarted(), at.outcomeTerminal()));
    }

    private static OptionalLong between(@Nullable Long start, @Nullable Long end) {
        return start == null || end == null || end < start ? OptionalLong.empty() : OptionalLong.of(end - start);
    }
}
