package dev.weighlock.query;

/** The closed set of operations a report's failure summary may name; derived from the attempt's phase, never from text. */
public enum ReportOperation {
    PLANNING,
    ADMISSION,
    EXECUTION,
    FETCH,
    CLEANUP
}
