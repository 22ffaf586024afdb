package dev.weighlock.batch;

/** The closed set of what a failure was; its text stays in the log and the diagnostics column. */
public enum FailureCategory {
    /** The user's code, SQL or configuration failed. */
    STEP_FAILED,
    /** The data broke a rule of the step, such as a value that does not convert. */
    DATA_ERROR,
    /** A query or a step ran out of its memory, disk or result allowance. */
    RESOURCE_LIMIT,
    /** A database, file or engine that the step needs was not there. */
    DEPENDENCY_FAILED,
    /** More items failed than the skip limit allows. */
    SKIP_LIMIT_EXCEEDED,
    /** A deadline passed. */
    DEADLINE_EXPIRED,
    /** One or more partitions or branches failed. */
    CHILD_FAILED,
    /** No transition matches the step's exit code, or the flow ended in FAIL. */
    FLOW_FAILED,
    /** The owning process died. */
    OWNER_LOST,
    /** The repository or the target could not tell what happened to a COMMIT. */
    OUTCOME_UNKNOWN,
    /** An invariant of the runtime did not hold. */
    INTERNAL
}
