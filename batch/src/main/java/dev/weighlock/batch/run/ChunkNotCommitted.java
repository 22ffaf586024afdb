package dev.weighlock.batch.run;

import java.io.Serial;

/** A COMMIT without an answer that the target proved not to have happened: the chunk is written again. */
final class ChunkNotCommitted extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    ChunkNotCommitted(Throwable cause) {
        super("the chunk was not committed", cause);
    }
}
