package dev.weighlock.query.report;

/** The part of an attempt's cleanup that failed. */
public enum CleanupPhase {
    RESULT_STREAM,
    ENGINE_SESSION,
    SPILL_DIRECTORY,
    COMPLETION_FENCE,
    MEMORY_DOMAIN,
    /** The service that returns the grant. */
    QUERY_SERVICE
}
