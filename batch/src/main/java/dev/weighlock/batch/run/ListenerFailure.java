package dev.weighlock.batch.run;

import java.io.Serial;

/** An item listener's <em>before</em> threw: the step fails, and no item is to blame. */
final class ListenerFailure extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    ListenerFailure(Exception cause) {
        super(String.valueOf(cause.getMessage()), cause);
    }
}
