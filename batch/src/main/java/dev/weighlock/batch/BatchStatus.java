package dev.weighlock.batch;

import java.util.EnumSet;
import java.util.Set;

/** How far a job execution or a step execution came. {@link #canBecome} is the whole machine. */
public enum BatchStatus {
    STARTING,
    STARTED,
    STOPPING,
    STOPPED,
    FAILED,
    COMPLETED,
    UNKNOWN,
    ABANDONED;

    /** Whether an owner may still be working. An active execution has no end time, any other has one. */
    public boolean isActive() {
        return this == STARTING || this == STARTED || this == STOPPING;
    }

    /** Whether a job execution may go from this status to {@code next} in a lifecycle write of its owner. */
    public boolean canBecome(BatchStatus next) {
        return successors().contains(next);
    }

    private Set<BatchStatus> successors() {
        return switch (this) {
            case STARTING -> EnumSet.of(STARTED, STOPPING, STOPPED, FAILED, UNKNOWN);
            case STARTED -> EnumSet.of(STOPPING, STOPPED, FAILED, COMPLETED, UNKNOWN);
            case STOPPING -> EnumSet.of(STOPPED, FAILED, UNKNOWN);
            case STOPPED, FAILED -> EnumSet.of(ABANDONED);
            case UNKNOWN -> EnumSet.of(FAILED, ABANDONED);
            case COMPLETED, ABANDONED -> EnumSet.noneOf(BatchStatus.class);
        };
    }
}
