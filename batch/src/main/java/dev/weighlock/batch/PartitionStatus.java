package dev.weighlock.batch;

import java.util.EnumSet;
import java.util.Set;

/** How far one partition came. A restart carries COMPLETED ones over and plans the others again. */
public enum PartitionStatus {
    PLANNED,
    STARTED,
    COMPLETED,
    STOPPED,
    FAILED,
    UNKNOWN;

    /** Whether a partition may go from this status to {@code next}. */
    public boolean canBecome(PartitionStatus next) {
        Set<PartitionStatus> successors = switch (this) {
            case PLANNED -> EnumSet.of(STARTED, STOPPED);
            case STARTED -> EnumSet.of(COMPLETED, STOPPED, FAILED, UNKNOWN);
            case COMPLETED, STOPPED, FAILED, UNKNOWN -> EnumSet.noneOf(PartitionStatus.class);
        };
        return successors.contains(next);
    }
}
