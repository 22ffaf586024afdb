package dev.weighlock.batch.partition;

/** What becomes of the siblings of a partition or branch that failed. */
public enum OnFailure {
    /** Running ones are asked to stop, the others do not start. */
    CANCEL,
    /** All of them run to their end. */
    DRAIN
}
