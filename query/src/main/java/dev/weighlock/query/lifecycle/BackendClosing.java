package dev.weighlock.query.lifecycle;

import dev.weighlock.query.Deadline;
import dev.weighlock.query.QueryException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Closes one backend slice by slice on a platform daemon thread of its own, because a step may block for as long as an
 * engine does. It fails closed: a slice that is not proved stops those after it, so device resources stay where they
 * are while somebody may still use them. A later call goes on at that slice.
 *
 * <p>Any thread may call {@link #closeBy}, several at once too. {@code lock} guards every field below it and is held
 * across no step and no wait for permits.
 */
public final class BackendClosing {
    private static final long SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final BackendLifecycle lifecycle;
    private final ClosingSteps steps;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Set<ClosingSlice> done = EnumSet.noneOf(ClosingSlice.class);
    private final Set<ClosingSlice> givenUp = EnumSet.noneOf(ClosingSlice.class);
    private final Set<ClosingSlice> late = EnumSet.noneOf(ClosingSlice.class);
    private @Nullable Thread worker;
    private @Nullable Deadline workUntil;
    private @Nullable Throwable failure;

    public BackendClosing(BackendLifecycle lifecycle, ClosingSteps steps) {
        this.lifecycle = lifecycle;
        this.steps = steps;
    }

    /**
     * Shuts the gate at once, then works through the slices until all are proved or the deadline is over.
     *
     * @return where the close stands at that moment; never throws for what a step threw
     */
    public ClosingReport closeBy(Deadline deadline) throws InterruptedException {
        lifecycle.close();
        return withHeld(work(deadline));
    }

    private ClosingReport work(Deadline deadline) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            startWorker(deadline);
            while (isUnderWay() && !deadline.isExpired()) {
                restartWorker(deadline);
                long ignored = changed.awaitNanos(Math.min(deadline.remainingNanos(), SLICE_NANOS));
            }
            var stuckAt = firstOpenSlice();
            stuckAt.ifPresent(givenUp::add);
            return standing(stuckAt);
        } finally {
            lock.unlock();
        }
    }

    /** Where the close stands, without waiting. */
    public ClosingReport report() {
        return withHeld(standing());
    }

    private ClosingReport standing() {
        lock.lock();
        try {
            return standing(firstOpenSlice());
        } finally {
            lock.unlock();
        }
    }

    private void startWorker(Deadline deadline) {
        if (worker != null) {
            workUntil = deadline.atNanos() > Objects.requireNonNull(workUntil).atNanos() ? deadline : workUntil;
        } else if (firstOpenSlice().isPresent()) {
            failure = null;
            workUntil = deadline;
            worker =
                    Thread.ofPlatform().daemon().name("weighlock-backend-close").start(this::work);
        }
    }

    /** Only a step that threw ends a close before its deadline. */
    private boolean isUnderWay() {
        return firstOpenSlice().isPresent() && failure == null;
    }

    /** The worker may have ended by an earlier caller's deadline just when this caller came. */
    private void restartWorker(Deadline deadline) {
        if (worker == null) {
            startWorker(deadline);
        }
    }

    private void work() {
        Throwable broken = null;
        try {
            for (var slice = nextSlice(); slice.isPresent(); slice = nextSlice()) {
                if (perform(slice.get())) {
                    finished(slice.get());
                } else if (isTimeUp()) {
                    break;
                }
            }
        } catch (Throwable stepFailure) {
            broken = stepFailure;
        }
        ended(broken);
    }

    /** @return whether the slice is proved; false means that its time slice is over and it is tried again */
    private boolean perform(ClosingSlice slice) throws InterruptedException {
        switch (slice) {
            case ADMISSION_CLOSED -> steps.closeAdmission();
            case QUEUED_REFUSED -> steps.refuseQueued();
            case RUNNING_CANCELLED -> steps.cancelRunning();
            case DEVICE_PERMITS_ZERO -> {
                return isQuiet(PermitScope.DEVICE);
            }
            case GENERATION_RELEASED -> steps.releaseGeneration();
            case OBSERVATION_PERMITS_ZERO -> {
                return isQuiet(PermitScope.OBSERVATION);
            }
        }
        return true;
    }

    private boolean isQuiet(PermitScope scope) throws InterruptedException {
        try {
            lifecycle.awaitQuiescence(scope, sliceDeadline());
            return true;
        } catch (QueryException notYet) {
            if (notYet.facts().has(scope.timeout)) {
                return false;
            }
            throw notYet;
        }
    }

    private Deadline sliceDeadline() {
        lock.lock();
        try {
            var until = Objects.requireNonNull(workUntil);
            var sliceEnd = until.clock().nanos() + SLICE_NANOS;
            return new Deadline(until.clock(), Math.min(sliceEnd, until.atNanos()));
        } finally {
            lock.unlock();
        }
    }

    private boolean isTimeUp() {
        lock.lock();
        try {
            return Objects.requireNonNull(workUntil).isExpired();
        } finally {
            lock.unlock();
        }
    }

    private Optional<ClosingSlice> nextSlice() {
        lock.lock();
        try {
            return firstOpenSlice();
        } finally {
            lock.unlock();
        }
    }

    private void finished(ClosingSlice slice) {
        lock.lock();
        try {
            done.add(slice);
            if (givenUp.contains(slice)) {
                late.add(slice);
            }
        } finally {
            lock.unlock();
        }
    }

    private void ended(@Nullable Throwable broken) {
        lock.lock();
        try {
            failure = broken;
            worker = null;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private Optional<ClosingSlice> firstOpenSlice() {
        return List.of(ClosingSlice.values()).stream()
                .filter(slice -> !done.contains(slice))
                .findFirst();
    }

    private ClosingReport standing(Optional<ClosingSlice> stuckAt) {
        return new ClosingReport(
                new ArrayList<>(done), new ArrayList<>(late), stuckAt, List.of(), Optional.ofNullable(failure));
    }

    /** Reads what is open after the lock: the books of open handles take locks of their own. */
    private ClosingReport withHeld(ClosingReport standing) {
        return standing.isComplete()
                ? standing
                : new ClosingReport(
                        standing.done(),
                        standing.late(),
                        standing.stuckAt(),
                        lifecycle.openHandles().open(),
                        standing.failure());
    }
}
