package dev.weighlock.batch.shutdown;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Who may begin work and who has not ended: ACCEPTING, then STOPPING after the first request, then ESCALATED after a
 * second one, which ends every join.
 *
 * <p>Thread-safe. The lock guards state, tasks and the count of those that broke; nothing runs under it.
 */
final class TaskGate {
    private enum State {
        ACCEPTING,
        STOPPING,
        ESCALATED
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<Long, OwnedTask> tasks = new HashMap<>();
    private long lastTask;
    private State state = State.ACCEPTING;
    private int panicked;

    void ensureAccepting() {
        lock.lock();
        try {
            if (state != State.ACCEPTING) {
                throw new BatchException(
                        BatchError.SHUTTING_DOWN, "the process is shutting down and begins nothing new");
            }
        } finally {
            lock.unlock();
        }
    }

    OwnedTask begin(TaskPhase phase) {
        lock.lock();
        try {
            ensureAccepting();
            return add(phase);
        } finally {
            lock.unlock();
        }
    }

    /** A part of a task that is owned already. */
    OwnedTask beginChild(TaskPhase phase) {
        lock.lock();
        try {
            return add(phase);
        } finally {
            lock.unlock();
        }
    }

    private OwnedTask add(TaskPhase phase) {
        assert lock.isHeldByCurrentThread();
        var task = new OwnedTask(this, ++lastTask, phase);
        tasks.put(lastTask, task);
        return task;
    }

    void ended(OwnedTask task) {
        lock.lock();
        try {
            if (tasks.remove(task.number()) != null && tasks.isEmpty()) {
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Before the task ends, so that whoever joins it sees the count. */
    void panicked() {
        lock.lock();
        try {
            panicked++;
        } finally {
            lock.unlock();
        }
    }

    ShutdownRequest request() {
        lock.lock();
        try {
            var answer = switch (state) {
                case ACCEPTING -> ShutdownRequest.INITIATED;
                case STOPPING -> ShutdownRequest.ESCALATED;
                case ESCALATED -> ShutdownRequest.ALREADY_ESCALATED;
            };
            state = state == State.ACCEPTING ? State.STOPPING : State.ESCALATED;
            changed.signalAll();
            return answer;
        } finally {
            lock.unlock();
        }
    }

    /** Makes the first request when there was none; whether it did. */
    boolean requestIfAccepting() {
        lock.lock();
        try {
            if (state != State.ACCEPTING) {
                return false;
            }
            state = State.STOPPING;
            return true;
        } finally {
            lock.unlock();
        }
    }

    DrainResult join(Duration atMost) throws InterruptedException {
        long nanos = atMost.toNanos();
        lock.lockInterruptibly();
        try {
            while (!tasks.isEmpty() && state != State.ESCALATED && nanos > 0) {
                nanos = changed.awaitNanos(nanos);
            }
            return standing();
        } finally {
            lock.unlock();
        }
    }

    /** As {@link #join}, but an escalation does not end it; whether no task is left. */
    boolean awaitEnds(Duration atMost) throws InterruptedException {
        long nanos = atMost.toNanos();
        lock.lockInterruptibly();
        try {
            while (!tasks.isEmpty() && nanos > 0) {
                nanos = changed.awaitNanos(nanos);
            }
            return tasks.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /** What a join that ends now would say. */
    DrainResult standing() {
        lock.lock();
        try {
            if (tasks.isEmpty()) {
                return new DrainResult.Complete(panicked);
            }
            // Each task is asked for its phase once: it may change while the others are asked.
            var byPhase = new EnumMap<TaskPhase, Integer>(TaskPhase.class);
            tasks.values().forEach(task -> byPhase.merge(task.phase(), 1, Integer::sum));
            return new DrainResult.Incomplete(tasks.size(), byPhase, panicked, state == State.ESCALATED);
        } finally {
            lock.unlock();
        }
    }
}
