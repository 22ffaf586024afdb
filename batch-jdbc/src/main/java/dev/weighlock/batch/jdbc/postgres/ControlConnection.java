package dev.weighlock.batch.jdbc.postgres;

import dev.weighlock.batch.StopRequest;
import dev.weighlock.batch.jdbc.store.StopStore;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks for stop requests of any process and tells listeners, on one platform daemon thread that holds no lock. A request
 * of this process is looked for at once.
 *
 * <p>Thread-safe.
 */
final class ControlConnection implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ControlConnection.class);
    private static final long PAUSE_MILLIS = 500;

    private final PostgresDatabase database;
    private final Supplier<Optional<String>> nodeId;
    private final List<LongConsumer> listeners = new CopyOnWriteArrayList<>();
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("weighlock-control").factory());

    ControlConnection(PostgresDatabase database, Supplier<Optional<String>> nodeId) {
        this.database = database;
        this.nodeId = nodeId;
        var _ = thread.scheduleWithFixedDelay(this::tellListeners, PAUSE_MILLIS, PAUSE_MILLIS, TimeUnit.MILLISECONDS);
    }

    AutoCloseable listen(LongConsumer listener) {
        listeners.add(listener);
        wake();
        return () -> listeners.remove(listener);
    }

    /** Looks for requests at once. */
    void wake() {
        thread.execute(this::tellListeners);
    }

    private void tellListeners() {
        var node = nodeId.get();
        if (node.isEmpty() || listeners.isEmpty()) {
            return;
        }
        try {
            for (StopRequest request : database.read(session -> StopStore.pending(session, node.get()))) {
                listeners.forEach(listener -> listener.accept(request.executionId()));
            }
        } catch (RuntimeException e) {
            LOG.warn("cannot look for stop requests in {}; trying again: {}", database.name(), e.toString());
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
