package dev.weighlock.query.observe;

import dev.weighlock.query.report.Outcome;

/** A boundary that an attempt crosses; the last five are its end. */
public enum BoundaryKind {
    PLANNING_STARTED,
    PLANNING_FINISHED,
    ADMISSION_REQUESTED,
    ADMITTED,
    PHYSICAL_EXECUTION_STARTED,
    DEVICE_EXECUTION_STARTED,
    FETCH_STARTED,
    CLEANUP_STARTED,
    SUCCEEDED,
    FAILED,
    CANCELLED,
    DROPPED,
    PANICKED;

    static BoundaryKind of(Outcome outcome) {
        return switch (outcome.kind()) {
            case SUCCEEDED -> SUCCEEDED;
            case FAILED -> FAILED;
            case CANCELLED -> CANCELLED;
            case DROPPED -> DROPPED;
            case PANICKED -> PANICKED;
        };
    }
}
