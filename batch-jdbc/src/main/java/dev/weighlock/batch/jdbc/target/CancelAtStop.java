package dev.weighlock.batch.jdbc.target;

import dev.weighlock.batch.stop.StopToken;
import java.sql.SQLException;

/**
 * Cancels a statement at a stop, until closed: again and again, because a cancel that comes before the statement has
 * reached the server does nothing.
 *
 * <p>The monitor guards {@code over} and is held during a cancel, so that none ever meets the connection's next statement
 * or a closed connection.
 */
final class CancelAtStop implements AutoCloseable {
    private static final long AGAIN_MILLIS = 100;

    /** How the driver cancels. */
    @FunctionalInterface
    interface Cancel {
        void run() throws SQLException;
    }

    private final Cancel cancel;
    private final StopToken.Registration registration;
    private boolean over;

    CancelAtStop(StopToken stop, Cancel cancel) {
        this.cancel = cancel;
        this.registration = stop.onStop(this::cancelUntilOver);
    }

    private synchronized void cancelUntilOver() {
        try {
            while (!over) {
                tryCancel();
                wait(AGAIN_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void tryCancel() {
        try {
            cancel.run();
        } catch (SQLException failed) {
            // The next one may succeed, or the statement ends by itself.
        }
    }

    @Override
    public void close() {
        registration.close();
        synchronized (this) {
            over = true;
            notifyAll();
        }
    }
}
