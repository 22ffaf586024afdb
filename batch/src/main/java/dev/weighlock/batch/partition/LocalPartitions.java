package dev.weighlock.batch.partition;

import dev.weighlock.batch.PartitionExecution;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Partitions on threads of this process. Claims come in batches, which the workers share: the first one by a write of its
 * own, those that follow by the write of a partition that ended.
 *
 * <p>Of one step attempt. The lock guards the claimed partitions that no worker took yet, and that one worker takes more for
 * all; it is held during no call. Who finds nothing waits for that worker's write.
 */
public final class LocalPartitions implements PartitionHandler {
    private static final int MIN_BATCH = 8;
    private static final int MAX_BATCH = 64;

    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<PartitionExecution> claimed = new ArrayDeque<>();
    private final Condition taken = lock.newCondition();
    private boolean taking;
    private boolean exhausted;

    public LocalPartitions() {}

    /** Workers that could not be started are done without; with none at all the step fails. */
    @Override
    public void handle(PartitionWork work) {
        int workers = work.workers();
        var running = new CountDownLatch(workers);
        int started = 0;
        try {
            for (; started < workers; started++) {
                work.executor().execute(() -> runAll(work, running));
            }
        } catch (RejectedExecutionException | OutOfMemoryError e) {
            if (started == 0) {
                throw e;
            }
        } finally {
            for (int missing = started; missing < workers; missing++) {
                running.countDown();
            }
            awaitAll(running);
        }
    }

    /** No worker outlives its step, so an interrupt waits until they are over. */
    private static void awaitAll(CountDownLatch running) {
        boolean interrupted = false;
        while (true) {
            try {
                running.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void runAll(PartitionWork work, CountDownLatch running) {
        try {
            runAll(work);
        } finally {
            running.countDown();
        }
    }

    private void runAll(PartitionWork work) {
        for (var next = next(work); next != null; next = next(work)) {
            var turn = new Turn(work);
            try {
                turn.add(work.run(next, turn));
            } finally {
                turn.end();
            }
        }
    }

    /** One partition's run, which takes more with its end when few are left and no other does. Of one worker. */
    private final class Turn implements IntSupplier {
        private final PartitionWork work;
        private boolean mine;

        private Turn(PartitionWork work) {
            this.work = work;
        }

        @Override
        public int getAsInt() {
            lock.lock();
            try {
                if (exhausted || taking || claimed.size() > work.workers()) {
                    return 0;
                }
                taking = true;
                mine = true;
                return batch(work);
            } finally {
                lock.unlock();
            }
        }

        private void add(List<PartitionExecution> more) {
            lock.lock();
            try {
                claimed.addAll(more);
            } finally {
                lock.unlock();
            }
        }

        private void end() {
            lock.lock();
            try {
                if (mine) {
                    taking = false;
                    taken.signalAll();
                }
            } finally {
                lock.unlock();
            }
        }
    }

    private static int batch(PartitionWork work) {
        return Math.clamp(2L * work.workers(), MIN_BATCH, MAX_BATCH);
    }

    private @Nullable PartitionExecution next(PartitionWork work) {
        lock.lock();
        try {
            while (claimed.isEmpty() && taking) {
                taken.awaitUninterruptibly();
            }
            if (!claimed.isEmpty() || exhausted) {
                return claimed.poll();
            }
            taking = true;
        } finally {
            lock.unlock();
        }
        return claim(work);
    }

    /** By a write of its own; whoever claims nothing this way knows that nothing is left. */
    private @Nullable PartitionExecution claim(PartitionWork work) {
        List<PartitionExecution> more = List.of();
        try {
            more = work.claim(batch(work));
        } finally {
            lock.lock();
            try {
                claimed.addAll(more);
                exhausted = more.isEmpty();
                taking = false;
                taken.signalAll();
            } finally {
                lock.unlock();
            }
        }
        return more.isEmpty() ? null : next(work);
    }
}
