package dev.weighlock.query.report;

/** How an attempt's cleanup went. */
public enum CleanupDisposition {
    /** The attempt was never admitted. */
    NOT_REQUIRED,
    COMPLETED,
    COMPLETED_WITH_FAILURES
}
