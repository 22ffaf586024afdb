package dev.weighlock.batch.shutdown;

/** What a request to shut down did. */
public enum ShutdownRequest {
    /** The first: intake is closed and work is asked to stop. */
    INITIATED,
    /** The second: joining ends at once. */
    ESCALATED,
    /** A later one: nothing changed. */
    ALREADY_ESCALATED
}
