package dev.weighlock.batch.jdbc.postgres;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Set;

/** What the server's and the driver's exceptions mean to a caller of the repository. */
final class PostgresErrors {
    private static final String NO_RIGHT = "42501";

    /** A statement or value that the server will never take, or a broken constraint: bugs. */
    private static final Set<String> REFUSALS = Set.of("22", "23", "42", "0A", "2F", "44");

    private PostgresErrors() {}

    static String state(SQLException e) {
        return e.getSQLState() == null ? "" : e.getSQLState();
    }

    /** Whether the connection is gone, and with it the answer: class 08 is the driver's, 57P0x a server that ends it. */
    static boolean isLost(SQLException e) {
        var state = state(e);
        return state.startsWith("08") || state.startsWith("57P") || state.equals("25P03");
    }

    /**
     * Whether the same may succeed when tried again: the connection broke, or the server rolled it back for the sake of
     * others. A pool that gave no connection has waited long enough.
     */
    static boolean isTransient(SQLException e) {
        return !(e instanceof SQLTransientConnectionException)
                && (isLost(e) || state(e).startsWith("40") || state(e).startsWith("53"));
    }

    static RuntimeException translate(String repository, SQLException e) {
        var state = state(e);
        if (state.equals(NO_RIGHT)) {
            return new BatchException(
                    BatchError.REPOSITORY_UNAVAILABLE,
                    "the role of this process may not do that in the repository " + repository + ": " + e.getMessage(),
                    e);
        }
        if (state.length() == 5 && REFUSALS.contains(state.substring(0, 2))) {
            return new IllegalStateException(
                    "the repository " + repository + " refused a statement: " + e.getMessage(), e);
        }
        return new BatchException(
                BatchError.REPOSITORY_UNAVAILABLE,
                "the repository " + repository + " cannot be used: " + e.getMessage(),
                e);
    }
}
