package dev.weighlock.batch.repository;

import java.sql.Connection;
import java.sql.SQLException;

/** Work that commits together with a write of the repository, because the target is the repository's database. */
@FunctionalInterface
public interface EnlistedWrite {
    EnlistedWrite NONE = connection -> {};

    /**
     * Writes through {@code connection}, whose transaction the repository commits or rolls back. What this throws rolls
     * it back: an SQLException reaches the caller as {@link EnlistedWriteException}, anything else as it is.
     */
    void write(Connection connection) throws SQLException;
}
