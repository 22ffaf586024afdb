package dev.weighlock.query;

import static dev.weighlock.query.ErrorStatus.NOT_APPLICABLE;
import static dev.weighlock.query.ErrorStatus.PERMANENT;
import static dev.weighlock.query.ErrorStatus.PERSISTENT;
import static dev.weighlock.query.ErrorStatus.TEMPORARY;

/** The closed set of error codes; each fixes its kind and its status. */
public enum ErrorCode {
    CANCELLED(ErrorKind.CANCELLED, NOT_APPLICABLE),
    /** The attempt was closed before anything ended it. */
    DROPPED(ErrorKind.CONTROL, NOT_APPLICABLE),
    /** Code of the caller or of an engine threw something that is not a query error. */
    PANICKED(ErrorKind.CONTROL, NOT_APPLICABLE),

    INVALID_PLAN(ErrorKind.PLANNING, PERMANENT),

    INVALID_CONFIGURATION(ErrorKind.INPUT, PERMANENT),
    /** Parser, binder or catalog refused the text. */
    SQL_ERROR(ErrorKind.INPUT, PERMANENT),
    /** A value could not be converted. */
    DATA_ERROR(ErrorKind.INPUT, PERMANENT),
    SOURCE_ACCESS_DENIED(ErrorKind.INPUT, PERMANENT),
    SOURCE_NOT_FOUND(ErrorKind.INPUT, PERMANENT),
    /** The kind of statement is not allowed here. */
    STATEMENT_REFUSED(ErrorKind.INPUT, PERMANENT),

    /** No eligible device can ever give the room that was asked for. */
    QUERY_BUDGET_UNAVAILABLE(ErrorKind.RESOURCE, PERMANENT),
    SERVICE_OVERLOADED(ErrorKind.RESOURCE, TEMPORARY),
    QUERY_MEMORY_LIMIT_EXCEEDED(ErrorKind.RESOURCE, PERMANENT),
    QUERY_TEMP_LIMIT_EXCEEDED(ErrorKind.RESOURCE, PERMANENT),
    RESULT_LIMIT_EXCEEDED(ErrorKind.RESOURCE, PERMANENT),
    DISK_FULL(ErrorKind.RESOURCE, TEMPORARY),

    ENGINE_TEMPORARY_FAILURE(ErrorKind.DEPENDENCY, TEMPORARY),
    ENGINE_PERSISTENT_FAILURE(ErrorKind.DEPENDENCY, PERSISTENT),
    DEVICE_FAULT(ErrorKind.DEPENDENCY, PERSISTENT),
    /** The engine failed in a way whose repetition nobody can judge. */
    ENGINE_ERROR(ErrorKind.DEPENDENCY, NOT_APPLICABLE),

    INTERNAL(ErrorKind.INTERNAL, PERMANENT),
    /** A result ended without proof that it is whole. */
    RESULT_INCOMPLETE(ErrorKind.INTERNAL, PERMANENT),
    CLEANUP_FAILED(ErrorKind.INTERNAL, PERMANENT),
    INVARIANT_VIOLATION(ErrorKind.INVARIANT, PERMANENT);

    private final ErrorKind kind;
    private final ErrorStatus status;

    ErrorCode(ErrorKind kind, ErrorStatus status) {
        this.kind = kind;
        this.status = status;
    }

    public ErrorKind kind() {
        return kind;
    }

    public ErrorStatus status() {
        return status;
    }
}
