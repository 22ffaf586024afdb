package dev.weighlock.app.wiring;

import dev.weighlock.query.backend.QueryHandle;
import dev.weighlock.query.backend.QueryRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A backend that is opened by the first query, so that a job without one claims no memory. A refused claim fails that
 * query; the next one tries again. Thread-safe; the monitor is held while the backend opens, because nobody who waits for
 * it can go on without.
 */
final class BackendOnDemand implements AutoCloseable {
    /** Opens the backend. */
    @FunctionalInterface
    interface Opening {
        Backends.Opened open() throws IOException;
    }

    private final Opening opening;
    private volatile Backends.@Nullable Opened opened;
    private boolean closed;

    BackendOnDemand(Opening opening) {
        this.opening = opening;
    }

    QueryHandle submit(QueryRequest request) {
        return opened().backend().submit(request);
    }

    /** The queries that are not sealed; never waits. */
    List<QueryHandle> live() {
        Backends.Opened present = opened;
        return present == null ? List.of() : present.backend().live();
    }

    private Backends.Opened opened() {
        Backends.Opened present = opened;
        return present != null ? present : open();
    }

    private synchronized Backends.Opened open() {
        if (closed) {
            throw new IllegalStateException("the session is closed");
        }
        Backends.Opened present = opened;
        if (present == null) {
            try {
                present = opening.open();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            opened = present;
        }
        return present;
    }

    @Override
    public synchronized void close() {
        closed = true;
        Backends.Opened present = opened;
        if (present != null) {
            present.close();
        }
    }
}
