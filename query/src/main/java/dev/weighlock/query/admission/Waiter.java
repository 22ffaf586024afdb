package dev.weighlock.query.admission;

import dev.weighlock.query.AdmissionRequestId;
import dev.weighlock.query.QueryException;
import dev.weighlock.query.device.QueryCap;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One request on its way. The outcome is decided by one compare-and-set, with or without the service's mutex, and
 * published afterwards outside it. Its place in the queue belongs to the mutex.
 */
final class Waiter implements Due {
    static final int NOWHERE = -1;

    private final AdmissionRequestId id;
    private final AdmissionRequest request;
    private final QueryCap cap;
    private final Pool pool;
    private final long requestedNanos;
    private final long dueNanos;
    private final AtomicReference<@Nullable AdmissionOutcome> decision = new AtomicReference<>();
    private final CompletableFuture<AdmissionOutcome> published = new CompletableFuture<>();

    /** Place in its line; guarded by the mutex, like the two below. */
    int slot = NOWHERE;

    int passes;

    @Nullable
    DeviceSlot keptRoom;

    Waiter(
            AdmissionRequestId id,
            AdmissionRequest request,
            QueryCap cap,
            Pool pool,
            long requestedNanos,
            long waitUntilNanos) {
        this.id = id;
        this.request = request;
        this.cap = cap;
        this.pool = pool;
        this.requestedNanos = requestedNanos;
        this.dueNanos = Math.min(waitUntilNanos, request.deadlineNanos());
    }

    AdmissionRequestId id() {
        return id;
    }

    AdmissionRequest request() {
        return request;
    }

    QueryCap cap() {
        return cap;
    }

    Pool pool() {
        return pool;
    }

    long requestedNanos() {
        return requestedNanos;
    }

    @Override
    public long dueNanos() {
        return dueNanos;
    }

    @Override
    public long order() {
        return id.value();
    }

    boolean isWaiting() {
        return decision.get() == null;
    }

    /** Fixes the outcome unless there is one. */
    boolean decide(AdmissionOutcome outcome) {
        return decision.compareAndSet(null, outcome);
    }

    Optional<AdmissionOutcome> decided() {
        return Optional.ofNullable(decision.get());
    }

    /** Tells those who wait; never under a lock. */
    void publish() {
        AdmissionOutcome outcome = decision.get();
        if (outcome != null) {
            published.complete(outcome);
        }
    }

    CompletionStage<AdmissionOutcome> published() {
        return published;
    }

    /** The error of a wait that has come to its end. */
    QueryException dueError(long nowNanos) {
        return nowNanos >= request.deadlineNanos() ? Refusals.deadline(this) : Refusals.waitElapsed(this, nowNanos);
    }

    boolean cameBefore(Waiter other) {
        return id.value() < other.id.value();
    }

    /** Whether this one goes before the other when both fit. */
    boolean precedes(@Nullable Waiter other) {
        if (other == null) {
            return true;
        }
        int byPool = Double.compare(pool.virtualTime(), other.pool.virtualTime());
        return byPool != 0 ? byPool < 0 : cameBefore(other);
    }
}
