package dev.weighlock.batch.run;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Tells a connection that broke while a chunk was written from a failure of the writer: no item is to blame. */
final class ConnectionLoss {
    /** The driver's class for broken connections, and the server's words when it goes away. */
    private static final String BROKEN = "08";

    private static final String SHUTDOWN = "57P";

    private ConnectionLoss() {}

    /** The same failure as one after which the chunk is written again, where that is what it was. */
    static Exception translated(Exception failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql && isLoss(sql.getSQLState())) {
                return new ChunkNotCommitted(new BatchException(
                        BatchError.DELIVERY_UNAVAILABLE,
                        "the connection broke while a chunk was written: " + sql.getMessage(),
                        failure));
            }
        }
        return failure;
    }

    private static boolean isLoss(@Nullable String state) {
        return state != null && (state.startsWith(BROKEN) || state.startsWith(SHUTDOWN));
    }
}
