package dev.weighlock.batch.partition;

import dev.weighlock.batch.PartitionExecution;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Partitions on threads of this process. Claims come in batches, which the workers share.
 *
 * <p>Of one step attempt. The lock guards the claimed partitions that no worker took yet, and is held while more are
 * claimed, so that one worker asks for all.
 */
public final class LocalPartitions implements PartitionHandler {
    private static final int MIN_BATCH = 8;
    private static final int MAX_BATCH = 64;

    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<PartitionExecution> claimed = new ArrayDeque<>();
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
            work.run(next);
        }
    }

    private @Nullable PartitionExecution next(PartitionWork work) {
        lock.lock();
        try {
            if (claimed.isEmpty() && !exhausted) {
                claimed.addAll(work.claim(Math.clamp(2L * work.workers(), MIN_BATCH, MAX_BATCH)));
                exhausted = claimed.isEmpty();
            }
            return claimed.poll();
        } finally {
            lock.unlock();
        }
    }
}
