package dev.weighlock.query.report;

/** Where the work of an attempt was planned to run. */
public enum Disposition {
    UNPLANNED,
    CPU_FALLBACK,
    PARTIAL_NATIVE,
    NATIVE
}
