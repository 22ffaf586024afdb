package dev.weighlock.query.report;

/** The five ways in which an attempt ends. */
public enum OutcomeKind {
    SUCCEEDED,
    FAILED,
    CANCELLED,
    DROPPED,
    PANICKED
}
