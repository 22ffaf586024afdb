package dev.weighlock.batch.repository;

import java.sql.Connection;
import java.sql.SQLException;

/** Work that commits together with a write of the repository, because the target is the repository's database. */
@FunctionalInterface
public interface EnlistedWrite {
    EnlistedWrite NONE = connection -> {};

    /** Writes through {@code connection}, whose transaction the repository commits or rolls back. */
    void write(Connection connection) throws SQLException;
}
