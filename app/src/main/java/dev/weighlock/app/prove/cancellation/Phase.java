package dev.weighlock.app.prove.cancellation;

import java.util.Locale;

/** What a body does when the stop comes. */
enum Phase {
    ASYNC("waits for its stop token while it works", "DURING_EXECUTION, or BEFORE_START where it had not begun"),
    BLOCKING("cannot see the stop and works to its end", "AFTER_BLOCKING_WORK, or BEFORE_START"),
    TRANSACTION("holds a transaction open, which it rolls back itself", "DURING_EXECUTION, or BEFORE_START");

    private final String mechanism;
    private final String contract;

    Phase(String mechanism, String contract) {
        this.mechanism = mechanism;
        this.contract = contract;
    }

    /** In lower case, for names. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    String mechanism() {
        return mechanism;
    }

    /** The stop timing that the runtime promises for it. */
    String contract() {
        return contract;
    }
}
