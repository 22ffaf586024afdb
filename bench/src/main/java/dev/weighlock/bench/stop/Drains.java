package dev.weighlock.bench.stop;

import dev.weighlock.batch.repository.JobRepository;
import dev.weighlock.batch.shutdown.DrainResult;
import dev.weighlock.batch.shutdown.OwnedTasks;
import dev.weighlock.batch.shutdown.ShutdownCoordinator;
import dev.weighlock.batch.shutdown.ShutdownHooks;
import dev.weighlock.batch.shutdown.ShutdownSettings;
import dev.weighlock.batch.shutdown.TaskPhase;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

/** The two ends of a drain: everything lets go when it is asked, or a second request ends the waiting. */
final class Drains {
    private static final int HELD = 7;
    private static final int HELD_AT_ESCALATION = 4;
    private static final List<TaskPhase> PHASES =
            List.of(TaskPhase.TASKLET, TaskPhase.CHUNK_READ_PROCESS, TaskPhase.TRANSACTION);

    private Drains() {}

    /** From the first request to the stored record, with tasks that read the repository once more; milliseconds. */
    static double completing(JobRepository repository) throws InterruptedException {
        CountDownLatch asked = new CountDownLatch(1);
        ShutdownCoordinator shutdown = holding(HELD, asked, asked::countDown, repository);
        long begun = System.nanoTime();
        DrainResult result = shutdown.drain().tasks();
        double millis = (System.nanoTime() - begun) / 1e6;
        if (!(result instanceof DrainResult.Complete)) {
            throw new IllegalStateException("the drain is not complete: " + result);
        }
        return millis;
    }

    /** From the second request to the end of the waiting for tasks that let nothing go; milliseconds. */
    static double escalated(JobRepository repository) throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        ShutdownCoordinator shutdown = holding(HELD_AT_ESCALATION, release, () -> {}, repository);
        try (var threads = Executors.newSingleThreadExecutor()) {
            shutdown.requestShutdown();
            var ended = CompletableFuture.supplyAsync(
                    () -> {
                        DrainResult result = shutdown.drain().tasks();
                        return new Ended(System.nanoTime(), result);
                    },
                    threads);
            Thread.sleep(Work.BODY);
            long second = System.nanoTime();
            shutdown.requestShutdown();
            Ended drain = ended.get();
            if (!(drain.result() instanceof DrainResult.Incomplete left)
                    || left.unjoined() != HELD_AT_ESCALATION
                    || !left.escalated()) {
                throw new IllegalStateException("no escalation with all tasks unjoined: " + drain.result());
            }
            return (drain.at() - second) / 1e6;
        } finally {
            release.countDown();
        }
    }

    private record Ended(long at, DrainResult result) {}

    private static ShutdownCoordinator holding(
            int count, CountDownLatch release, Runnable onFirstRequest, JobRepository repository)
            throws InterruptedException {
        OwnedTasks tasks = new OwnedTasks("bench-held", onFirstRequest);
        ShutdownCoordinator shutdown = new ShutdownCoordinator(ShutdownSettings.DEFAULT, tasks, ShutdownHooks.NONE);
        CountDownLatch inside = new CountDownLatch(count);
        IntStream.range(0, count)
                .forEach(i -> shutdown.spawn(PHASES.get(i % PHASES.size()), task -> {
                    inside.countDown();
                    awaitUninterruptibly(release);
                    repository.pendingStops();
                }));
        inside.await();
        return shutdown;
    }

    private static void awaitUninterruptibly(CountDownLatch release) {
        try {
            release.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
