package dev.weighlock.batch.jdbc.sqlite;

import dev.weighlock.batch.StopRequest;
import dev.weighlock.batch.jdbc.store.Session;
import dev.weighlock.batch.jdbc.store.StopStore;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices stop requests of any process: every 50 ms it asks SQLite whether another connection committed, which costs
 * some microseconds, and only then looks for requests. A request made in this process wakes it at once.
 *
 * <p>One platform daemon thread, started with the first listener; listeners run on it, holding no lock. The monitor
 * guards {@code thread} and {@code closed} is written under it.
 */
final class StopWatcher implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StopWatcher.class);
    static final long PAUSE_MILLIS = 50;
    private static final long JOIN_MILLIS = 5_000;

    private final SqliteDatabase database;
    private final Supplier<Optional<String>> nodeId;
    private final List<LongConsumer> listeners = new CopyOnWriteArrayList<>();
    private final Semaphore wakes = new Semaphore(0);
    private volatile boolean closed;
    private @Nullable Thread thread;

    StopWatcher(SqliteDatabase database, Supplier<Optional<String>> nodeId) {
        this.database = database;
        this.nodeId = nodeId;
    }

    AutoCloseable listen(LongConsumer listener) {
        listeners.add(listener);
        startOnce();
        wake();
        return () -> listeners.remove(listener);
    }

    private synchronized void startOnce() {
        if (closed) {
            throw new IllegalStateException("the repository " + database.file() + " is closed");
        }
        if (thread == null) {
            thread = Thread.ofPlatform().daemon().name("weighlock-stop-watcher").start(this::watchUntilClosed);
        }
    }

    /** Looks for requests at once. */
    void wake() {
        wakes.release();
    }

    private void watchUntilClosed() {
        while (!closed) {
            try (var connection = database.connect()) {
                watch(database.session(connection));
            } catch (SQLException | RuntimeException e) {
                LOG.warn("cannot look for stop requests in {}; trying again", database.file(), e);
                awaitChange();
            }
        }
    }

    private void watch(Session session) throws SQLException {
        long seen = -1;
        while (!closed) {
            boolean wokenNow = awaitChange();
            long version = session.sql("PRAGMA data_version").one(row -> row.number("data_version"));
            if (wokenNow || version != seen) {
                seen = version;
                tellListeners(session);
            }
        }
    }

    private void tellListeners(Session session) throws SQLException {
        var node = nodeId.get();
        if (node.isEmpty()) {
            return;
        }
        for (StopRequest request : StopStore.pending(session, node.get())) {
            listeners.forEach(listener -> tell(listener, request.executionId()));
        }
    }

    private static void tell(LongConsumer listener, long executionId) {
        try {
            listener.accept(executionId);
        } catch (RuntimeException e) {
            LOG.error("a listener failed on the stop request for execution {}", executionId, e);
        }
    }

    /** Waits a pause, or less when woken; tells whether it was. */
    private boolean awaitChange() {
        try {
            boolean woken = wakes.tryAcquire(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
            wakes.drainPermits();
            return woken;
        } catch (InterruptedException e) {
            // Nobody interrupts this thread to end it: it looks once more and goes on.
            return true;
        }
    }

    /** Waits for the thread, unless a listener closes: then the thread ends by itself. Idempotent. */
    @Override
    public void close() {
        @Nullable Thread running;
        synchronized (this) {
            closed = true;
            running = thread;
        }
        wake();
        if (running != null && running != Thread.currentThread()) {
            try {
                running.join(JOIN_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
