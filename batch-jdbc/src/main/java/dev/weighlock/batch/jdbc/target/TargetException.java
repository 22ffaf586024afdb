package dev.weighlock.batch.jdbc.target;

import java.io.Serial;
import java.sql.SQLException;

/** The target refused a commit, such as for a deferred constraint; it was rolled back whole. */
public final class TargetException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    TargetException(String what, SQLException cause) {
        super(what + ": " + cause.getMessage(), cause);
    }
}
