package dev.weighlock.duckdb;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.ByteBuffer;
import java.sql.SQLException;
import java.util.Optional;
import java.util.OptionalDouble;
import org.duckdb.DuckDBChunkedResult;
import org.duckdb.DuckDBConnection;
import org.duckdb.QueryProgress;

/**
 * The three things this engine needs that the driver keeps to itself. A driver without them is refused when the engine
 * opens, and a test pins each one's effect.
 *
 * <ul>
 *   <li>The public cancel does nothing while a stream is fetched and blocks while a statement is prepared; the native
 *       interrupt does neither.
 *   <li>The public chunk reader presents a stream that broke off as a stream that ended; the result knows better.
 *   <li>The public progress waits for the lock that preparing holds.
 * </ul>
 *
 * <p>The caller guarantees that the connection is open: the native side checks nothing.
 */
final class DriverInternals {
    private static final MethodHandle CONNECTION_REF;
    private static final MethodHandle INTERRUPT;
    private static final MethodHandle PROGRESS;
    private static final MethodHandle CHECK_ERROR;

    static {
        try {
            var connection = MethodHandles.privateLookupIn(DuckDBConnection.class, MethodHandles.lookup());
            CONNECTION_REF = connection.findGetter(DuckDBConnection.class, "connRef", ByteBuffer.class);
            var nativeClass = Class.forName("org.duckdb.DuckDBNative");
            var natives = MethodHandles.privateLookupIn(nativeClass, MethodHandles.lookup());
            INTERRUPT = natives.findStatic(
                    nativeClass, "duckdb_jdbc_interrupt", MethodType.methodType(void.class, ByteBuffer.class));
            PROGRESS = natives.findStatic(
                    nativeClass,
                    "duckdb_jdbc_query_progress",
                    MethodType.methodType(QueryProgress.class, ByteBuffer.class));
            CHECK_ERROR = MethodHandles.privateLookupIn(DuckDBChunkedResult.class, MethodHandles.lookup())
                    .findVirtual(DuckDBChunkedResult.class, "checkError", MethodType.methodType(void.class));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private DriverInternals() {}

    /** The native connection; valid until it is closed. */
    static ByteBuffer reference(DuckDBConnection connection) {
        try {
            return (ByteBuffer) CONNECTION_REF.invokeExact(connection);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** Asks what runs on the connection to end. Only sets a flag; lost where nothing runs yet. */
    static void interrupt(ByteBuffer connection) {
        try {
            INTERRUPT.invokeExact(connection);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** How much of what runs is done; empty where the engine cannot tell. */
    static OptionalDouble progress(ByteBuffer connection) {
        try {
            var progress = (QueryProgress) PROGRESS.invokeExact(connection);
            var percentage = progress.getPercentage();
            return percentage < 0 ? OptionalDouble.empty() : OptionalDouble.of(percentage / 100);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** Why a result ended early; empty where it did not. */
    static Optional<SQLException> error(DuckDBChunkedResult result) {
        try {
            CHECK_ERROR.invokeExact(result);
            return Optional.empty();
        } catch (SQLException e) {
            return Optional.of(e);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    private static IllegalStateException unexpected(Throwable e) {
        return new IllegalStateException("the driver's internals answered unexpectedly", e);
    }
}
