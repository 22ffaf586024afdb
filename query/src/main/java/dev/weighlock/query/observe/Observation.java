package dev.weighlock.query.observe;

import dev.weighlock.query.MonotonicClock;
import dev.weighlock.query.report.AttemptReport;
import dev.weighlock.query.report.ObservationCompleteness;
import dev.weighlock.query.report.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The recorder of one attempt, and the right to seal it.
 *
 * <p>Any thread. {@code lock} guards every field below it. It is a leaf: nothing else is locked under it and nobody is
 * called under it. The report is built, and seal observers run, with the lock free, so both may write back; what they
 * write after the seal has begun is refused.
 */
public final class Observation {
    private static final Logger LOG = LoggerFactory.getLogger(Observation.class);
    private static final int MAX_TOPOLOGY = 4096;

    private final ObservationManifest manifest;
    private final MonotonicClock clock;
    private final ObservationHandle handle = new ObservationHandle(this);

    private final ReentrantLock lock = new ReentrantLock();
    private final EventBuffer events;
    private List<TopologyNode> topology = List.of();
    private List<Consumer<SealedObservation>> observers = List.of();
    private boolean cleanupBegun;
    private @Nullable Thread sealer;
    private @Nullable Condition sealEnded;
    private @Nullable SealedObservation sealed;
    private boolean delivered;

    public Observation(ObservationManifest manifest, MonotonicClock clock) {
        this.manifest = manifest;
        this.clock = clock;
        this.events = new EventBuffer(manifest.config());
    }

    /** The right to record without the right to seal. */
    public ObservationHandle handle() {
        return handle;
    }

    /** @return whether the event was kept */
    boolean record(EventPayload payload) {
        lock.lock();
        try {
            return isOpen() && add(payload);
        } finally {
            lock.unlock();
        }
    }

    /** Records a boundary at the moment its caller has already read from the same clock. */
    public void recordBoundary(BoundaryKind kind, long atNanos) {
        lock.lock();
        try {
            if (isOpen()) {
                events.add(EventPayload.Boundary.of(kind), atNanos);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Records, once, that the attempt's cleanup has begun. */
    public void beginCleanup() {
        lock.lock();
        try {
            if (isOpen() && !cleanupBegun) {
                cleanupBegun = true;
                add(EventPayload.Boundary.of(BoundaryKind.CLEANUP_STARTED));
            }
        } finally {
            lock.unlock();
        }
    }

    void setTopology(List<TopologyNode> nodes) {
        lock.lock();
        try {
            if (isOpen()) {
                topology = List.copyOf(nodes.subList(0, Math.min(nodes.size(), MAX_TOPOLOGY)));
            }
        } finally {
            lock.unlock();
        }
    }

    private boolean isOpen() {
        return sealer == null && sealed == null;
    }

    private boolean add(EventPayload payload) {
        long now;
        try {
            now = clock.nanos();
        } catch (RuntimeException clockFault) {
            return events.lose(payload.eventClass(), LossReason.RECORDER_FAULT);
        }
        return events.add(payload, now);
    }

    /** Has {@code observer} called with the sealed observation by the seal's delivery, at once when that is over. */
    public void registerSealObserver(Consumer<SealedObservation> observer) {
        SealedObservation ready;
        lock.lock();
        try {
            if (!delivered) {
                observers = observers.isEmpty() ? new ArrayList<>(1) : observers;
                observers.add(observer);
                return;
            }
            ready = sealed;
        } finally {
            lock.unlock();
        }
        if (ready != null) {
            notify(observer, ready);
        }
    }

    /**
     * Ends the observation: nothing is recorded after it. A second call waits for the first and changes nothing.
     *
     * @param outcome the attempt's one outcome; it closes the timeline and the footer
     * @param reportOf builds and publishes the report, given what the observation has kept. It runs on this thread with
     *     no lock held. When it throws, so does the seal, and the observation stays unsealed.
     * @return what calls the seal observers; the caller runs it when it holds nothing
     */
    public SealDelivery seal(Outcome outcome, Function<ObservationCompleteness, AttemptReport> reportOf) {
        if (beginSeal(outcome)) {
            SealedObservation result = null;
            try {
                result = build(outcome, reportOf);
            } finally {
                endSeal(result);
            }
        }
        return new SealDelivery(this);
    }

    private boolean beginSeal(Outcome outcome) {
        lock.lock();
        try {
            while (sealer != null) {
                if (sealer == Thread.currentThread()) {
                    throw new IllegalStateException("an observation cannot be sealed from inside its own seal");
                }
                sealEnded = sealEnded == null ? lock.newCondition() : sealEnded;
                sealEnded.awaitUninterruptibly();
            }
            if (sealed != null) {
                return false;
            }
            add(EventPayload.Boundary.of(BoundaryKind.of(outcome)));
            sealer = Thread.currentThread();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Runs unlocked: while there is a sealer nobody else changes the buffer. */
    private SealedObservation build(Outcome outcome, Function<ObservationCompleteness, AttemptReport> reportOf) {
        var completeness = events.completeness();
        var report = reportOf.apply(completeness);
        return new SealedObservation(
                manifest,
                topology,
                events.events(),
                new ObservationFooter(outcome, completeness, events.losses(), report));
    }

    private void endSeal(@Nullable SealedObservation result) {
        lock.lock();
        try {
            sealed = result;
            sealer = null;
            if (sealEnded != null) {
                sealEnded.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    void deliver() {
        List<Consumer<SealedObservation>> waiting;
        SealedObservation ready;
        lock.lock();
        try {
            ready = sealed;
            if (ready == null) {
                return;
            }
            waiting = observers;
            observers = List.of();
            delivered = true;
        } finally {
            lock.unlock();
        }
        waiting.forEach(observer -> notify(observer, ready));
    }

    private void notify(Consumer<SealedObservation> observer, SealedObservation ready) {
        try {
            observer.accept(ready);
        } catch (RuntimeException | Error failure) {
            LOG.warn("A seal observer of attempt {} failed", manifest.attemptId(), failure);
        }
    }

    /** The sealed observation, once there is one. */
    public Optional<SealedObservation> sealed() {
        lock.lock();
        try {
            return Optional.ofNullable(sealed);
        } finally {
            lock.unlock();
        }
    }
}
