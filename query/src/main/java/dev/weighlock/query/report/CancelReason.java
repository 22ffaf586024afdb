package dev.weighlock.query.report;

/** Who asked for a cancellation. A deadline is told apart by its fact, not here. */
public enum CancelReason {
    CALLER,
    SHUTDOWN,
    CLIENT_LOST
}
