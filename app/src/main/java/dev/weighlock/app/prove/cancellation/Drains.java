package dev.weighlock.app.prove.cancellation;

import dev.weighlock.app.prove.stand.Findings;
import dev.weighlock.batch.JobName;
import dev.weighlock.batch.repository.JobRepository;
import dev.weighlock.batch.shutdown.DrainResult;
import dev.weighlock.batch.shutdown.OwnedTasks;
import dev.weighlock.batch.shutdown.ShutdownCoordinator;
import dev.weighlock.batch.shutdown.ShutdownHooks;
import dev.weighlock.batch.shutdown.ShutdownRequest;
import dev.weighlock.batch.shutdown.ShutdownSettings;
import dev.weighlock.batch.shutdown.TaskPhase;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Drains of a real coordinator. Each of its tasks reads the repository, so that a drain has a connection to get back and
 * not only a thread to join. For one thread.
 */
final class Drains {
    /** The phases that tasks are held in, in turn. */
    static final List<TaskPhase> PHASES =
            List.of(TaskPhase.TASKLET, TaskPhase.CHUNK_READ_PROCESS, TaskPhase.TRANSACTION);

    private static final Duration FLUSH = Duration.ofMillis(500);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final JobRepository repository;
    private final JobName job;
    private final Findings findings;

    Drains(JobRepository repository, String job, Findings findings) {
        this.repository = repository;
        this.job = new JobName(job);
        this.findings = findings;
    }

    /** How a drain ended and how long it took. */
    record Drain(DrainResult result, Duration took) {}

    static Map<TaskPhase, Integer> phasesOf(int held) {
        Map<TaskPhase, Integer> phases = new EnumMap<>(TaskPhase.class);
        for (int task = 0; task < held; task++) {
            phases.merge(PHASES.get(task % PHASES.size()), 1, Integer::sum);
        }
        return phases;
    }

    /** With tasks that end by themselves. */
    Drain completing(Duration deadline, int count) {
        Running running = new Running(deadline);
        running.spawn(count, false);
        return running.drain();
    }

    /** With tasks that are let go only when the drain has reported. */
    Drain expiring(Duration deadline, int count) throws InterruptedException {
        Running running = new Running(deadline);
        running.spawn(count, true);
        Drain drain = running.drain();
        running.letGo();
        return drain;
    }

    /** The same, ended by a second request. */
    Drain escalated(Duration deadline, int count) throws Exception {
        Running running = new Running(deadline);
        running.spawn(count, true);
        // An application's own first request, so that the drain finds one; the second one comes beside it.
        expect(ShutdownRequest.INITIATED, running.coordinator.requestShutdown());
        CompletableFuture<Drain> draining = new CompletableFuture<>();
        Thread.ofPlatform().daemon().name("weighlock-prove-drain").start(() -> draining.complete(running.drain()));
        expect(ShutdownRequest.ESCALATED, running.coordinator.requestShutdown());
        Drain drain = draining.get(deadline.plus(PATIENCE).toMillis(), TimeUnit.MILLISECONDS);
        running.letGo();
        return drain;
    }

    private void expect(ShutdownRequest wanted, ShutdownRequest answer) {
        findings.require(answer == wanted, "a shutdown request answered " + answer + ", not " + wanted);
    }

    /** A coordinator with its tasks. */
    private final class Running {
        private final OwnedTasks tasks = new OwnedTasks("weighlock-prove", () -> {});
        private final CountDownLatch released = new CountDownLatch(1);
        private final ShutdownCoordinator coordinator;

        Running(Duration deadline) {
            coordinator = new ShutdownCoordinator(
                    ShutdownSettings.DEFAULT.withDeadline(deadline).withTelemetryFlush(FLUSH),
                    tasks,
                    ShutdownHooks.NONE);
        }

        void spawn(int count, boolean held) {
            for (int task = 0; task < count; task++) {
                coordinator.spawn(PHASES.get(task % PHASES.size()), owned -> {
                    repository.instance(job, "of nobody");
                    if (held) {
                        awaitRelease();
                    }
                });
            }
        }

        private void awaitRelease() {
            try {
                released.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        Drain drain() {
            long begun = System.nanoTime();
            DrainResult result = coordinator.shutdown().drained().tasks();
            return new Drain(result, Duration.ofNanos(System.nanoTime() - begun));
        }

        void letGo() throws InterruptedException {
            released.countDown();
            findings.require(tasks.awaitEnds(PATIENCE), "tasks that were let go after a drain did not end");
        }
    }
}
