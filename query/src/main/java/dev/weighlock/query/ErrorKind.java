package dev.weighlock.query;

/** The family of an error: who has to act on it. */
public enum ErrorKind {
    /** The work was stopped on purpose, by its caller, its deadline or a closing backend. */
    CANCELLED,
    /** The request cannot be planned as it stands. */
    PLANNING,
    /** The request, its data or its configuration is wrong. */
    INPUT,
    /** Memory, temporary space, disk or queue room ran out. */
    RESOURCE,
    /** An engine or a device failed. */
    DEPENDENCY,
    /** The runtime failed. */
    INTERNAL,
    /** The runtime found its own books contradictory. */
    INVARIANT,
    /** The attempt ended for a reason outside the query, such as being dropped. */
    CONTROL
}
