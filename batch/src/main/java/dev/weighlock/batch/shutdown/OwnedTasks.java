package dev.weighlock.batch.shutdown;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The work that a process owns, and the gate before it. Work runs on platform threads, which are kept and used again.
 *
 * <p>ACCEPTING, then STOPPING after the first request, then ESCALATED after a second one, which ends a join under way
 * and kills nothing.
 *
 * <p>Thread-safe. The lock guards state and tasks; no task and no action runs under it.
 */
public final class OwnedTasks {
    private static final Logger LOG = LoggerFactory.getLogger(OwnedTasks.class);

    private enum State {
        ACCEPTING,
        STOPPING,
        ESCALATED
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Set<OwnedTask> tasks = new LinkedHashSet<>();
    private final AtomicInteger panicked = new AtomicInteger();
    private final Runnable onFirstRequest;
    private final ExecutorService threads;
    private State state = State.ACCEPTING;

    /** @param onFirstRequest asks the work to stop; runs on the thread of the first request */
    public OwnedTasks(String threadName, Runnable onFirstRequest) {
        this.onFirstRequest = onFirstRequest;
        this.threads = Executors.newCachedThreadPool(
                Thread.ofPlatform().daemon().name(threadName + "-", 1).factory());
    }

    /** @throws BatchException SHUTTING_DOWN after the first request */
    public void ensureAccepting() {
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

    /**
     * Registers work that the calling thread does.
     *
     * @throws BatchException SHUTTING_DOWN after the first request
     */
    public OwnedTask begin(TaskPhase phase) {
        lock.lock();
        try {
            ensureAccepting();
            return add(phase);
        } finally {
            lock.unlock();
        }
    }

    private OwnedTask add(TaskPhase phase) {
        assert lock.isHeldByCurrentThread();
        var task = new OwnedTask(this, phase);
        tasks.add(task);
        return task;
    }

    /**
     * Runs {@code body} on a thread of its own.
     *
     * @throws BatchException SHUTTING_DOWN after the first request
     */
    public void spawn(TaskPhase phase, Consumer<OwnedTask> body) {
        start(begin(phase), body);
    }

    /** Runs a part of a task that is owned already; also while the process stops, because its parent is stopped. */
    public void spawnChild(TaskPhase phase, Consumer<OwnedTask> body) {
        OwnedTask task;
        lock.lock();
        try {
            task = add(phase);
        } finally {
            lock.unlock();
        }
        start(task, body);
    }

    /** Runs what {@link #begin} registered on a thread of its own; a task that gets none is closed. */
    public void start(OwnedTask task, Consumer<OwnedTask> body) {
        try {
            threads.execute(() -> run(task, body));
        } catch (Throwable e) {
            task.close();
            throw e;
        }
    }

    /** The edge at which a task's failure ends: whoever needs it has it already. */
    private void run(OwnedTask task, Consumer<OwnedTask> body) {
        try {
            body.accept(task);
        } catch (Throwable e) {
            panicked.incrementAndGet();
            LOG.error("an owned task ended with an exception", e);
        } finally {
            // After the count: whoever joins sees it.
            task.close();
        }
    }

    void ended(OwnedTask task) {
        lock.lock();
        try {
            if (tasks.remove(task) && tasks.isEmpty()) {
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Closes the intake and asks the work to stop; a second request ends the join. */
    public ShutdownRequest request() {
        ShutdownRequest answer;
        lock.lock();
        try {
            answer = switch (state) {
                case ACCEPTING -> ShutdownRequest.INITIATED;
                case STOPPING -> ShutdownRequest.ESCALATED;
                case ESCALATED -> ShutdownRequest.ALREADY_ESCALATED;
            };
            state = state == State.ACCEPTING ? State.STOPPING : State.ESCALATED;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (answer == ShutdownRequest.INITIATED) {
            onFirstRequest.run();
        }
        return answer;
    }

    /** Makes the first request when there was none; never escalates. */
    public void requestIfAccepting() {
        lock.lock();
        try {
            if (state != State.ACCEPTING) {
                return;
            }
            state = State.STOPPING;
        } finally {
            lock.unlock();
        }
        onFirstRequest.run();
    }

    /** Waits until no owned task runs, at most so long, and not after an escalation. */
    public DrainResult join(Duration atMost) throws InterruptedException {
        long nanos = atMost.toNanos();
        lock.lockInterruptibly();
        try {
            while (!tasks.isEmpty() && state != State.ESCALATED && nanos > 0) {
                nanos = changed.awaitNanos(nanos);
            }
            return result();
        } finally {
            lock.unlock();
        }
    }

    private DrainResult result() {
        assert lock.isHeldByCurrentThread();
        if (tasks.isEmpty()) {
            return new DrainResult.Complete(panicked.get());
        }
        var byPhase = new EnumMap<TaskPhase, Integer>(TaskPhase.class);
        tasks.forEach(task -> byPhase.merge(task.phase(), 1, Integer::sum));
        // A task may change its phase between the count and the sum; both come from one look.
        int unjoined = byPhase.values().stream().mapToInt(Integer::intValue).sum();
        return new DrainResult.Incomplete(unjoined, byPhase, panicked.get(), state == State.ESCALATED);
    }

    /** Lets idle threads end. Running tasks go on. */
    public void close() {
        threads.shutdown();
    }
}
