package dev.weighlock.query.report;

/** Who said that the attempt failed. */
public enum FailureOrigin {
    /** An engine, the planner, the ledger or a deadline. */
    NATIVE,
    /** Whoever controls the attempt: its caller, its owner, or a closing backend. */
    ATTEMPT_CONTROL
}
