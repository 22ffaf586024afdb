package dev.weighlock.bench.stop;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;

/**
 * A side as another process sees it: it asks for the stop by the side's own means, and looks at the stored rows over a
 * connection of its own.
 *
 * <p>For one thread.
 */
abstract class Outside implements AutoCloseable {
    private static final Set<String> OVER = Set.of("STOPPED", "COMPLETED", "FAILED", "ABANDONED", "UNKNOWN");

    private final Connection looking;

    Outside(Connection looking) {
        this.looking = looking;
    }

    /**
     * What is stored of an execution at one moment.
     *
     * @param open partitions and steps that are not terminal
     * @param done partitions that are complete, or chunks that are committed
     */
    record Look(String status, long open, long done) {
        boolean isJobOver() {
            return OVER.contains(status);
        }

        boolean isAllOver() {
            return isJobOver() && open == 0;
        }
    }

    /** The id of the newest execution; 0 when there is none. */
    long newest() throws SQLException {
        try (var statement = looking.createStatement();
                var row = statement.executeQuery(newestSql())) {
            row.next();
            return row.getLong(1);
        }
    }

    Look look(long execution) throws SQLException {
        try (var statement = looking.prepareStatement(lookSql())) {
            statement.setLong(1, execution);
            try (var row = statement.executeQuery()) {
                row.next();
                return new Look(row.getString(1), row.getLong(2), row.getLong(3));
            }
        }
    }

    abstract String newestSql();

    /** Of the execution that its parameter names: status, number of open parts, number of parts done. */
    abstract String lookSql();

    /** Returns when the request is stored. */
    abstract void requestStop(long execution) throws Exception;

    @Override
    public void close() throws SQLException {
        looking.close();
    }
}
