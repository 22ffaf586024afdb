package dev.weighlock.batch.jdbc.sqlite;

import java.sql.SQLException;
import java.time.Duration;
import org.sqlite.SQLiteErrorCode;

/** Repeats a statement while another process holds the file's lock, in random pauses, so that no writer starves. */
public final class SqliteWait {
    /** A statement that may find the file locked. */
    @FunctionalInterface
    public interface Attempt {
        void run() throws SQLException;
    }

    private final Duration most;

    public SqliteWait(Duration most) {
        this.most = most;
    }

    /** Returns when {@code attempt} was done; an interrupt shortens no wait and stays set. */
    public void run(Attempt attempt) throws SQLException {
        var wait = new LockWait(most);
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    attempt.run();
                    return;
                } catch (SQLException e) {
                    if (!SqliteErrors.isBusy(e) || wait.isOver()) {
                        throw e;
                    }
                }
                interrupted |= Thread.interrupted();
                wait.pause();
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Whether the statement was wrong, rather than the file or the machine. */
    public static boolean isRefusal(SQLException e) {
        int code = e.getErrorCode() & 0xFF;
        return code == SQLiteErrorCode.SQLITE_CONSTRAINT.code || code == SQLiteErrorCode.SQLITE_ERROR.code;
    }
}
