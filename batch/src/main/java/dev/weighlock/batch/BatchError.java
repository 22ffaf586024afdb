package dev.weighlock.batch;

/** The closed set of reasons for which the batch runtime refuses or fails. */
public enum BatchError {
    /** A name, parameter, context or definition breaks a written rule. */
    INVALID_DEFINITION,
    /** A parameter is missing, unknown or of the wrong type. */
    INVALID_PARAMETER,
    /** No such job or execution. */
    NOT_FOUND,
    /** The status machine does not allow the transition. */
    ILLEGAL_TRANSITION,
    /** Somebody else changed the row since it was read: read it again. */
    STALE_VERSION,
    /** The execution was taken over: this process no longer owns it and writes nothing more to it. */
    FENCED,
    /** A live process runs the execution. */
    ALREADY_RUNNING,
    /** The instance is complete, or was abandoned. */
    ALREADY_COMPLETE,
    /** The definition changed since the last attempt and the change was not accepted. */
    DEFINITION_CHANGED,
    /** The step was started as often as its start limit allows. */
    START_LIMIT_EXCEEDED,
    /** The outcome of the last attempt is unknown and must be recovered first. */
    OUTCOME_UNKNOWN,
    /** The execution is finished; the request makes no sense any more. */
    ALREADY_FINISHED,
    /** An act with this idempotency key was done before; nothing changed. */
    ALREADY_DONE,
    /** A context, key or evidence is larger than its bound. */
    TOO_LARGE,
    /** The stored form is of a version that this program does not read. */
    UNKNOWN_FORMAT,
    /** read = written + filtered + skipped does not hold. */
    COUNTS_DO_NOT_BALANCE,
    /** The repository's schema is newer or older than this program, or missing. */
    SCHEMA_VERSION,
    /** The repository cannot be reached, or another process holds it locked. */
    REPOSITORY_UNAVAILABLE,
    /** A COMMIT was sent and no answer came, and the database cannot tell any more. */
    COMMIT_OUTCOME_UNKNOWN,
    /** The target cannot take rows and checkpoint in one transaction. */
    DELIVERY_UNAVAILABLE,
    /** The process is shutting down and begins nothing new. */
    SHUTTING_DOWN
}
