package dev.weighlock.batch;

/** When a stop reached a step's body. */
public enum StopTiming {
    /** The body was never called. */
    BEFORE_START,
    /** The body saw the stop and ended early. */
    DURING_EXECUTION,
    /** The body could not see the stop and ran to its end. */
    AFTER_BLOCKING_WORK
}
