package dev.weighlock.batch.jdbc.sqlite;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;
import java.nio.file.Path;
import java.sql.SQLException;
import org.sqlite.SQLiteErrorCode;

/** What the driver's exceptions mean to a caller of the repository. */
final class SqliteErrors {
    private static final int PRIMARY_CODE = 0xFF;

    private SqliteErrors() {}

    /** Whether another connection holds the lock that was asked for. */
    static boolean isBusy(SQLException e) {
        int code = e.getErrorCode() & PRIMARY_CODE;
        return code == SQLiteErrorCode.SQLITE_BUSY.code || code == SQLiteErrorCode.SQLITE_LOCKED.code;
    }

    /** A broken constraint or statement is a bug of this program; everything else is the file's or the machine's. */
    static RuntimeException translate(Path file, SQLException e) {
        int code = e.getErrorCode() & PRIMARY_CODE;
        if (code == SQLiteErrorCode.SQLITE_CONSTRAINT.code
                || code == SQLiteErrorCode.SQLITE_ERROR.code
                || code == SQLiteErrorCode.SQLITE_RANGE.code
                || code == SQLiteErrorCode.SQLITE_MISUSE.code) {
            return new IllegalStateException("the repository " + file + " refused a statement: " + e.getMessage(), e);
        }
        return new BatchException(
                BatchError.REPOSITORY_UNAVAILABLE, "the repository " + file + " cannot be used: " + e.getMessage(), e);
    }
}
