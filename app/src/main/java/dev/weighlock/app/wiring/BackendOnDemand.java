package dev.weighlock.app.wiring;

import dev.weighlock.batch.shutdown.OwnedResource;
import dev.weighlock.query.backend.QueryBackend;
import dev.weighlock.query.backend.QueryHandle;
import dev.weighlock.query.backend.QueryRequest;
import dev.weighlock.query.backend.QueryState;
import dev.weighlock.query.lifecycle.ClosingReport;
import dev.weighlock.query.report.CapacityDisposition;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A backend that is opened by the first query, so that a job without one claims no memory. A refused claim fails that
 * query; the next one tries again. The shutdown closes it as an owned resource.
 *
 * <p>Thread-safe; the lock guards the opening and is held while the backend opens, because nobody who waits for it can go on
 * without. No close waits for it longer than its own limit.
 */
final class BackendOnDemand implements OwnedResource {
    /** Opens the backend. */
    @FunctionalInterface
    interface Opening {
        Backends.Opened open() throws IOException;
    }

    /** An engine that listens lets go within this, also when there is no time left. */
    private static final Duration LEAST_CLOSE = Duration.ofMillis(250);

    private final Opening opening;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile Backends.@Nullable Opened opened;
    private volatile boolean closed;
    private final AtomicBoolean ended = new AtomicBoolean();

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

    private Backends.Opened open() {
        lock.lock();
        try {
            Backends.Opened present = opened;
            if (present == null) {
                if (closed) {
                    throw new IllegalStateException("the session is closed");
                }
                present = opening.open();
                opened = present;
            }
            return present;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public String name() {
        return "the query backend";
    }

    @Override
    public List<String> close(Duration atMost) throws InterruptedException {
        closed = true;
        Duration limit = atMost.compareTo(LEAST_CLOSE) < 0 ? LEAST_CLOSE : atMost;
        if (!lock.tryLock(limit.toNanos(), TimeUnit.NANOSECONDS)) {
            return List.of("a backend that is only being opened");
        }
        // Nobody opens one any more; the close itself is for several threads at once.
        lock.unlock();
        Backends.Opened present = opened;
        return present == null ? List.of() : close(present, limit);
    }

    /** Engine and memory are given back only once nothing uses them; the process's end does it otherwise. */
    private List<String> close(Backends.Opened present, Duration limit) throws InterruptedException {
        QueryBackend backend = present.backend();
        List<QueryHandle> live = backend.live();
        ClosingReport report = backend.closeOrQuarantine(limit);
        if (report.isComplete()) {
            if (ended.compareAndSet(false, true)) {
                present.close();
            }
            return List.of();
        }
        List<String> queries = live.stream()
                .filter(BackendOnDemand::isHeld)
                .map(BackendOnDemand::named)
                .toList();
        return queries.isEmpty() ? report.held().stream().map(Object::toString).toList() : queries;
    }

    private static boolean isHeld(QueryHandle query) {
        return !(query.state() instanceof QueryState.Done done)
                || done.summary().report().capacity().disposition() == CapacityDisposition.RETAINED_QUARANTINE;
    }

    private static String named(QueryHandle query) {
        String label = query.request().label();
        return "the query " + (label == null ? "" : label + " ") + "(attempt " + query.attemptId()
                + "): its engine has not let go of memory and spill files";
    }
}
