package dev.weighlock.batch.run;

import dev.weighlock.batch.BatchException;
import java.io.Serial;

/** This process may not or cannot write to the execution any more: the run lets go of it as it is. */
final class LostExecution extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    LostExecution(BatchException cause) {
        super(cause.getMessage(), cause);
    }

    LostExecution(String why) {
        super(why);
    }
}
