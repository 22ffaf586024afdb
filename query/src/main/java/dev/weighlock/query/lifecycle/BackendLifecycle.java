package dev.weighlock.query.lifecycle;

import dev.weighlock.query.Deadline;
import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.FactKey;
import dev.weighlock.query.Facts;
import dev.weighlock.query.MonotonicClock;
import dev.weighlock.query.QueryException;
import dev.weighlock.query.Reason;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The gate of one backend: the close bit and both permit counts in one atomic word, so that every acquisition is either
 * counted before the close or refused, with nothing between.
 *
 * <p>Any thread. The word is the truth; {@code waitLock} only lets waiters sleep until a count reaches zero. A release
 * decrements under that lock, because a waiter that has read the old count and not yet gone to sleep would else miss
 * the signal. {@link #close} takes no lock and signals nobody: every waiter closes before it waits, so nobody can wait
 * for the close itself. No callback runs here.
 */
public final class BackendLifecycle {
    private static final long CLOSING = 1L << 63;

    final AtomicLong word = new AtomicLong();
    final ReentrantLock waitLock = new ReentrantLock();
    final Condition reachedZero = waitLock.newCondition();
    private final OpenHandles open;
    /** Set under {@code waitLock} when a wait broke for a reason of its own; releases still work. */
    private boolean poisoned;

    public BackendLifecycle(MonotonicClock clock) {
        this(new OpenHandles(clock));
    }

    /** @param open where the permits of this gate are noted while they are open */
    public BackendLifecycle(OpenHandles open) {
        this.open = open;
    }

    /** Where this backend's open permits, and what else the backend gives out, are noted. */
    public OpenHandles openHandles() {
        return open;
    }

    /**
     * Enters for one attempt.
     *
     * @param holder named when the permit stays open too long
     * @throws QueryException {@code CANCELLED} with {@code backend_closing} once closed; {@code INTERNAL} when the count
     *     is full
     */
    public LifecyclePermit beginObservation(Object holder) {
        return begin(PermitScope.OBSERVATION, holder);
    }

    /** Enters the current generation of device resources; the errors are those of {@link #beginObservation}. */
    public LifecyclePermit beginDeviceResource(Object holder) {
        return begin(PermitScope.DEVICE, holder);
    }

    private LifecyclePermit begin(PermitScope scope, Object holder) {
        acquire(scope);
        return new LifecyclePermit(this, scope, open.opened(scope + " permit", holder));
    }

    void acquire(PermitScope scope) {
        long seen;
        do {
            seen = word.get();
            if (isClosing(seen)) {
                throw closing(scope);
            }
            if (scope.isFull(seen)) {
                throw new QueryException(
                        ErrorCode.INTERNAL,
                        scope.beginOperation,
                        "no more " + scope + " permits can be counted",
                        Facts.of(scope.overflow));
            }
        } while (!word.compareAndSet(seen, seen + scope.one));
    }

    void release(PermitScope scope) {
        waitLock.lock();
        try {
            var now = word.addAndGet(-scope.one);
            if (isClosing(now) && scope.count(now) == 0) {
                reachedZero.signalAll();
            }
        } finally {
            waitLock.unlock();
        }
    }

    /**
     * Shuts the gate; those inside stay inside. Never blocks.
     *
     * @return true for the one call that shut it
     */
    public boolean close() {
        return !isClosing(word.getAndUpdate(seen -> seen | CLOSING));
    }

    public boolean isClosing() {
        return isClosing(word.get());
    }

    public LifecycleSnapshot snapshot() {
        var seen = word.get();
        return new LifecycleSnapshot(
                isClosing(seen), PermitScope.OBSERVATION.count(seen), PermitScope.DEVICE.count(seen));
    }

    /**
     * Closes, then waits until no observation permit is open. An expired deadline still succeeds when nothing has to be
     * waited for; a count that reaches zero only after the deadline is a timeout, and a later call succeeds.
     *
     * @throws QueryException {@code SERVICE_OVERLOADED} at the deadline, with the count of open permits unless the lock
     *     itself could not be had in time
     */
    public void awaitObservationQuiescence(Deadline deadline) throws InterruptedException {
        awaitQuiescence(PermitScope.OBSERVATION, deadline);
    }

    /** Closes, then waits until no device permit is open, as {@link #awaitObservationQuiescence} does. */
    public void awaitDeviceQuiescence(Deadline deadline) throws InterruptedException {
        awaitQuiescence(PermitScope.DEVICE, deadline);
    }

    void awaitQuiescence(PermitScope scope, Deadline deadline) throws InterruptedException {
        close();
        awaitZero(scope, deadline);
    }

    private void awaitZero(PermitScope scope, Deadline deadline) throws InterruptedException {
        if (!lockUntil(deadline)) {
            throw timeout(scope, Facts.of(scope.timeout));
        }
        try {
            if (poisoned) {
                throw poisoned(scope);
            }
            awaitZeroLocked(scope, deadline);
        } catch (QueryException | InterruptedException expected) {
            throw expected;
        } catch (Throwable broken) {
            poisoned = true;
            throw broken;
        } finally {
            waitLock.unlock();
        }
    }

    private void awaitZeroLocked(PermitScope scope, Deadline deadline) throws InterruptedException {
        assert waitLock.isHeldByCurrentThread();
        var waited = false;
        for (var active = activePermits(scope); active > 0; active = activePermits(scope)) {
            var remaining = deadline.remainingNanos();
            if (remaining == 0) {
                throw timeout(scope, Facts.of(scope.timeout).with(scope.activeFact, active));
            }
            waited = true;
            long ignored = reachedZero.awaitNanos(remaining);
        }
        if (waited && deadline.isExpired()) {
            throw timeout(scope, Facts.of(scope.timeout).with(scope.activeFact, 0));
        }
    }

    private boolean lockUntil(Deadline deadline) throws InterruptedException {
        return waitLock.tryLock() || waitLock.tryLock(deadline.remainingNanos(), TimeUnit.NANOSECONDS);
    }

    private int activePermits(PermitScope scope) {
        return scope.count(word.get());
    }

    private static boolean isClosing(long seen) {
        return seen < 0;
    }

    private static QueryException closing(PermitScope scope) {
        return new QueryException(
                ErrorCode.CANCELLED,
                scope.beginOperation,
                "the backend is closing, nothing new can begin",
                Facts.of(Reason.BACKEND_CLOSING));
    }

    private static QueryException poisoned(PermitScope scope) {
        return new QueryException(
                ErrorCode.INTERNAL,
                scope.waitOperation,
                "an earlier wait broke, so this backend's quiescence cannot be proved",
                Facts.of(scope.poisoned));
    }

    private static QueryException timeout(PermitScope scope, Facts facts) {
        return new QueryException(
                ErrorCode.SERVICE_OVERLOADED,
                scope.waitOperation,
                scope + " permits are still open at the deadline",
                facts.with(FactKey.CLEANUP_DEADLINE_ELAPSED, true));
    }
}
