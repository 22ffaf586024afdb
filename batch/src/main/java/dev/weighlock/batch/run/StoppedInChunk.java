package dev.weighlock.batch.run;

import java.io.Serial;

/** A stop ended the chunk under way before its commit. Control flow, so without a stack trace. */
final class StoppedInChunk extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    StoppedInChunk() {
        super("stopped", null, false, false);
    }
}
