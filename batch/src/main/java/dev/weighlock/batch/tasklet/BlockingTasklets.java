package dev.weighlock.batch.tasklet;

import dev.weighlock.batch.ExitStatus;
import dev.weighlock.batch.step.StepContext;
import dev.weighlock.batch.stop.StopToken;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Runs blocking work under permits of its own, so that work that cannot be stopped is at least counted. A stop is
 * looked at before the permit is asked for, while waiting for it, and on the worker just before the body.
 *
 * <p>Thread-safe; needs no closing. The lock guards the number of free permits; no body runs under it.
 */
public final class BlockingTasklets {
    private final ReentrantLock lock = new ReentrantLock(true);
    private final Condition changed = lock.newCondition();
    private int free;

    /** @param permits how many bodies run at once */
    public BlockingTasklets(int permits) {
        if (permits < 1) {
            throw new IllegalArgumentException("blocking work needs at least one permit, not " + permits);
        }
        this.free = permits;
    }

    public Tasklet adapt(BlockingTasklet body) {
        return context -> run(body, context);
    }

    private TaskletOutcome run(BlockingTasklet body, StepContext context) throws Exception {
        var stop = context.stopToken();
        if (!acquire(stop)) {
            return new TaskletOutcome.StoppedBeforeStart();
        }
        try {
            return outcome(body.run(context), stop);
        } finally {
            release();
        }
    }

    private static TaskletOutcome outcome(ExitStatus exitStatus, StopToken stop) {
        return stop.isStopRequested()
                ? new TaskletOutcome.CompletedBlockingWork(exitStatus)
                : new TaskletOutcome.Completed(exitStatus);
    }

    private boolean acquire(StopToken stop) throws InterruptedException {
        if (stop.isStopRequested()) {
            return false;
        }
        try (var _ = stop.onStop(this::wakeAll)) {
            lock.lockInterruptibly();
            try {
                while (free == 0 && !stop.isStopRequested()) {
                    changed.await();
                }
                return take(stop);
            } finally {
                lock.unlock();
            }
        }
    }

    /** A waiter that a stop woke together with a permit leaves the permit to the next. */
    private boolean take(StopToken stop) {
        if (stop.isStopRequested()) {
            changed.signal();
            return false;
        }
        free--;
        return true;
    }

    private void wakeAll() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void release() {
        lock.lock();
        try {
            free++;
            changed.signal();
        } finally {
            lock.unlock();
        }
    }
}
