package dev.weighlock.query;

import org.jspecify.annotations.Nullable;

/**
 * The one unchecked root of everything the query runtime throws. It says what failed ({@link #code()}), where
 * ({@link #operation()}, dotted) and with which {@link #facts()}; the message is for people and never enters a report.
 */
public class QueryException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ErrorCode code;
    private final String operation;
    private final transient Facts facts;

    public QueryException(ErrorCode code, String operation, String message) {
        this(code, operation, message, Facts.none(), null);
    }

    public QueryException(ErrorCode code, String operation, String message, Facts facts) {
        this(code, operation, message, facts, null);
    }

    public QueryException(ErrorCode code, String operation, String message, Facts facts, @Nullable Throwable cause) {
        super(message, cause);
        this.code = code;
        this.operation = operation;
        this.facts = facts;
    }

    public final ErrorCode code() {
        return code;
    }

    public final ErrorStatus status() {
        return code.status();
    }

    /** Where it failed, dotted, for example {@code ledger} or {@code memory_grant.freeze}. */
    public final String operation() {
        return operation;
    }

    public final Facts facts() {
        return facts;
    }

    /** The message alone, for people who see code and facts elsewhere or not at all. */
    public final String text() {
        return String.valueOf(super.getMessage());
    }

    /** The message with the code, the operation and the facts. */
    @Override
    public final String getMessage() {
        String details = facts.entries().isEmpty() ? "" : " (" + facts + ")";
        return code + " in " + operation + ": " + text() + details;
    }
}
