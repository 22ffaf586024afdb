package dev.weighlock.batch.jdbc.sqlite;

import dev.weighlock.batch.repository.EnlistedWrite;
import dev.weighlock.batch.repository.EnlistedWriteException;
import java.sql.Connection;
import java.sql.SQLException;

/** Runs a caller's work in the repository's transaction and keeps its failures apart from the repository's own. */
final class Enlisted {
    private Enlisted() {}

    static void write(EnlistedWrite write, Connection connection) {
        try {
            write.write(connection);
        } catch (SQLException e) {
            throw new EnlistedWriteException(e);
        }
    }
}
