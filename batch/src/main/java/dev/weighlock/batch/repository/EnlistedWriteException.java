package dev.weighlock.batch.repository;

import java.io.Serial;
import java.sql.SQLException;

/** An {@link EnlistedWrite} failed: its transaction was rolled back, the repository itself is well. */
public final class EnlistedWriteException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    public EnlistedWriteException(SQLException cause) {
        super("the enlisted write failed and was rolled back: " + cause.getMessage(), cause);
    }
}
