package dev.weighlock.query.metric;

import dev.weighlock.query.report.AttemptDurations;
import java.util.OptionalLong;

/** The durations of an attempt that are counted. */
public enum DurationKind {
    /** Submitted to report ready, cleanup included. */
    TOTAL,
    PLANNING,
    /** Admission requested to grant. */
    QUEUE_WAIT,
    /** Physical start to terminal outcome. */
    PHYSICAL_EXECUTION;

    OptionalLong nanos(AttemptDurations durations) {
        return switch (this) {
            case TOTAL -> durations.total();
            case PLANNING -> durations.planning();
            case QUEUE_WAIT -> durations.queueWait();
            case PHYSICAL_EXECUTION -> durations.physicalExecution();
        };
    }
}
