package dev.weighlock.jobs.file;

/** What a failed partition or branch means to the others. */
public enum OnFailure {
    /** Those that run are asked to stop, the others do not begin. */
    CANCEL,
    /** All of them run to their end. */
    DRAIN
}
