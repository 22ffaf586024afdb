package dev.weighlock.batch.run;

import dev.weighlock.batch.stop.StopToken;
import java.nio.channels.ClosedByInterruptException;
import java.sql.SQLException;
import java.util.concurrent.CancellationException;

/** Tells a failure that a stop caused, such as a cancelled statement, from one of the work's own. */
final class StopCause {
    /** Query cancelled, in the SQL standard's class of operator intervention. */
    private static final String CANCELLED = "57014";

    private static final int SQLITE_INTERRUPT = 9;

    private StopCause() {}

    static boolean explains(StopToken stop, Throwable failure) {
        if (!stop.isStopRequested()) {
            return false;
        }
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (isCancel(cause)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isCancel(Throwable cause) {
        return switch (cause) {
            case InterruptedException _, ClosedByInterruptException _, CancellationException _ -> true;
            case SQLException sql -> CANCELLED.equals(sql.getSQLState()) || sql.getErrorCode() == SQLITE_INTERRUPT;
            default -> false;
        };
    }
}
