package dev.weighlock.query.backend;

import java.util.Locale;

/** Who wanted a query to end. A deadline is told apart by its own fact. */
public enum CancelReason {
    CALLER,
    SHUTDOWN,
    /** Whoever would have read the rows is gone. */
    CLIENT_LOST;

    /** As reports spell it. */
    public String value() {
        return name().toLowerCase(Locale.ROOT);
    }
}
