package dev.weighlock.batch.run;

import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.ExecutionContext;
import dev.weighlock.batch.ExitStatus;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.StepExecution;
import dev.weighlock.batch.repository.EndedTogether;
import dev.weighlock.batch.repository.JobChange;
import dev.weighlock.batch.repository.JobRepository;
import dev.weighlock.batch.repository.RepositoryBounds;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The owner's view of its job execution: the last stored value, which guards the next write.
 *
 * <p>Thread-safe. The lock is held across one call to the repository, because the value that the call is guarded by must
 * not change meanwhile: the job's thread, its branches and the stop write here.
 */
final class JobRow {
    private final JobRepository repository;
    private final Hold hold;
    private final ReentrantLock lock = new ReentrantLock();
    private final AtomicReference<ExecutionContext> context;
    private volatile JobExecution current;

    JobRow(JobRepository repository, Hold hold, JobExecution created) {
        this.repository = repository;
        this.hold = hold;
        this.current = created;
        this.context = new AtomicReference<>(created.context());
    }

    JobExecution current() {
        return current;
    }

    /** The job's context as the next lifecycle write will store it. */
    ExecutionContext context() {
        return context.get();
    }

    void put(String key, @Nullable Object value) {
        context.updateAndGet(now -> {
            var next = now.with(key, value);
            RepositoryBounds.context(next);
            return next;
        });
    }

    /** A call that names the execution as it is now. */
    <T> T call(Function<JobExecution, T> call) {
        lock.lock();
        try {
            return hold.get(() -> call.apply(current));
        } finally {
            lock.unlock();
        }
    }

    /** STARTED, unless a stop was seen before that. */
    boolean start() {
        lock.lock();
        try {
            if (current.status() != BatchStatus.STARTING) {
                return current.status() == BatchStatus.STARTED;
            }
            write(new JobChange(
                    BatchStatus.STARTED, ExitStatus.UNKNOWN, context(), Optional.empty(), Optional.empty()));
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** STOPPING, where the execution is active; whether it is now. */
    boolean stopSeen() {
        lock.lock();
        try {
            if (!current.status().canBecome(BatchStatus.STOPPING)) {
                return current.status() == BatchStatus.STOPPING;
            }
            write(new JobChange(
                    BatchStatus.STOPPING, ExitStatus.UNKNOWN, context(), Optional.empty(), Optional.empty()));
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** The end as it will be stored: a flow that completed after its owner saw a stop is STOPPED. */
    JobEnd settle(JobEnd end) {
        return end.status() == BatchStatus.COMPLETED && current.status() != BatchStatus.STARTED
                ? JobEnd.STOPPED.withDiagnostics(end.diagnostics())
                : end;
    }

    JobExecution end(JobEnd wished) {
        lock.lock();
        try {
            var end = settle(wished);
            write(new JobChange(end.status(), end.exitStatus(), context(), end.failure(), end.diagnostics()));
            return current;
        } finally {
            lock.unlock();
        }
    }

    /** A write that ends the execution with something else. */
    @FunctionalInterface
    interface JointEnd {
        EndedTogether write(JobExecution current, JobChange change);
    }

    /** As {@link #end}, by the write that ends the last step, which is returned. */
    StepExecution endWith(JobEnd wished, JointEnd joint) {
        lock.lock();
        try {
            var end = settle(wished);
            var change = new JobChange(end.status(), end.exitStatus(), context(), end.failure(), end.diagnostics());
            var ended = hold.get(() -> joint.write(current, change));
            current = ended.execution();
            return ended.step();
        } finally {
            lock.unlock();
        }
    }

    private void write(JobChange change) {
        assert lock.isHeldByCurrentThread();
        current = hold.get(() -> repository.update(current, change));
    }
}
