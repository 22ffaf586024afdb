package dev.weighlock.duckdb;

import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.Facts;
import dev.weighlock.query.QueryException;
import dev.weighlock.query.Reason;
import dev.weighlock.query.engine.RowSource;
import java.nio.ByteBuffer;
import java.util.OptionalDouble;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.duckdb.DuckDBConnection;
import org.jspecify.annotations.Nullable;

/**
 * What other threads may do to a session while its own thread is inside the engine. An interrupt is lost where it comes
 * before the engine begins, so a cancelled call is interrupted again and again until it has ended.
 *
 * <p>Thread-safe; {@code this} guards all fields, and the native calls under it only read or set a flag.
 */
final class RunningCall {
    private static final long REPEAT_MILLIS = 20;

    private final String name;
    private final ByteBuffer connection;
    private @Nullable CountDownLatch running;
    private @Nullable RowSource source;
    private boolean cancelled;
    private boolean interrupted;
    private boolean closed;

    RunningCall(String name, DuckDBConnection connection) {
        this.name = name;
        this.connection = DriverInternals.reference(connection);
    }

    void begin() {
        begin(null);
    }

    synchronized void begin(@Nullable RowSource reading) {
        if (closed || running != null) {
            throw new IllegalStateException("a session runs one call at a time, and none after its release");
        }
        check();
        running = new CountDownLatch(1);
        source = reading;
    }

    /** Idempotent. */
    synchronized void end() {
        if (running != null) {
            running.countDown();
            running = null;
            source = null;
        }
    }

    /** From here on the connection may be closed. */
    synchronized void close() {
        end();
        closed = true;
    }

    void cancel() {
        CountDownLatch current;
        @Nullable RowSource reading;
        synchronized (this) {
            if (cancelled) {
                return;
            }
            cancelled = true;
            if (running == null) {
                return;
            }
            current = running;
            reading = source;
            interrupted = true;
            DriverInternals.interrupt(connection);
        }
        Thread.ofPlatform().daemon().name("weighlock-cancel-" + name).start(() -> untilEnded(current, reading));
    }

    private void untilEnded(CountDownLatch current, @Nullable RowSource reading) {
        if (reading != null) {
            reading.close();
        }
        try {
            while (!current.await(REPEAT_MILLIS, TimeUnit.MILLISECONDS)) {
                interrupt(current);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void interrupt(CountDownLatch current) {
        if (current.getCount() > 0) {
            DriverInternals.interrupt(connection);
        }
    }

    synchronized boolean isCancelled() {
        return cancelled;
    }

    /** Whether the engine was ever interrupted: it may still have the flag. */
    synchronized boolean isInterrupted() {
        return interrupted;
    }

    /** Throws once the session is cancelled. */
    void check() {
        if (isCancelled()) {
            throw cancelled(null);
        }
    }

    static QueryException cancelled(@Nullable Throwable cause) {
        return new QueryException(
                ErrorCode.CANCELLED, "execute", "the query was cancelled", Facts.of(Reason.CALLER_CANCELLED), cause);
    }

    synchronized OptionalDouble progress() {
        return running == null ? OptionalDouble.empty() : DriverInternals.progress(connection);
    }
}
