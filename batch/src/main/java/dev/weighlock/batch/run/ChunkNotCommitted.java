package dev.weighlock.batch.run;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;
import java.io.Serial;

/**
 * A chunk that is proved not to be committed, its rows included, and whose items are not to blame: the repository could
 * not be reached, or the target tells that a COMMIT without an answer did not happen. It is written again.
 */
final class ChunkNotCommitted extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    private final transient BatchException why;

    ChunkNotCommitted(BatchException why) {
        super("the chunk was not committed", why);
        this.why = why;
    }

    /** What ends the tries: a run whose repository is gone lets go, any other one fails. */
    Exception ending() {
        return why.error() == BatchError.REPOSITORY_UNAVAILABLE ? new LostExecution(why) : this;
    }
}
