package dev.weighlock.batch.jdbc.target;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;
import java.sql.Connection;

/** What both kinds of transaction share. */
final class JdbcTransactions {
    private JdbcTransactions() {}

    static <T> T unwrap(Connection connection, Class<T> type, String name) {
        if (type.isInstance(connection)) {
            return type.cast(connection);
        }
        throw new BatchException(
                BatchError.DELIVERY_UNAVAILABLE,
                "the connection " + name + " has no transaction of type " + type.getSimpleName());
    }
}
