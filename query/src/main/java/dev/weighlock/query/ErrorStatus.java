package dev.weighlock.query;

/** Whether doing the same again can help. */
public enum ErrorStatus {
    /** The same request fails the same way. */
    PERMANENT,
    /** The same request may succeed later. */
    TEMPORARY,
    /** The place where it ran stays broken. */
    PERSISTENT,
    /** Repeating is not a question here. */
    NOT_APPLICABLE
}
