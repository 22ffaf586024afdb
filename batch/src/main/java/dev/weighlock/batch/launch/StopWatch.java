package dev.weighlock.batch.launch;

import dev.weighlock.batch.StopRequest;
import dev.weighlock.batch.repository.JobRepository;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hears of stop requests: told at once by the repository, and by one poll a process where that was missed. Nothing else
 * polls. The same thread looks for dead owners. When the node's own proof of life lapsed, its runs are let go.
 *
 * <p>Thread-safe; one platform daemon.
 */
final class StopWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StopWatch.class);

    private final JobRepository repository;
    private final ActiveRuns runs;
    private final DeadOwners deadOwners;
    private final LetGo letGo;
    private final AutoCloseable requests;
    private final AutoCloseable lapses;
    private final ScheduledExecutorService thread;

    StopWatch(JobRepository repository, ActiveRuns runs, DeadOwners deadOwners, LetGo letGo, NodeSettings settings) {
        this.repository = repository;
        this.runs = runs;
        this.deadOwners = deadOwners;
        this.letGo = letGo;
        this.lapses = repository.onLapse(runs::letGoAll);
        this.requests = repository.onStopRequested(runs::stop);
        this.thread = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name("weighlock-watch").factory());
        long poll = settings.poll().toMillis();
        long recovery = settings.recovery().toMillis();
        var _ = thread.scheduleWithFixedDelay(this::poll, poll, poll, TimeUnit.MILLISECONDS);
        var _ = thread.scheduleWithFixedDelay(this::recover, 0, recovery, TimeUnit.MILLISECONDS);
    }

    /** A failed poll is followed by the next one. */
    private void poll() {
        attempt(
                "stop requests could not be read",
                () -> repository.pendingStops().stream()
                        .map(StopRequest::executionId)
                        .forEach(id -> attempt("execution " + id + " could not be stopped yet", () -> runs.stop(id))));
        attempt("what was let go of could not be ended", () -> letGo.settle().forEach(deadOwners::restart));
    }

    private void recover() {
        attempt("executions of dead owners could not be looked for", deadOwners::recoverRegularly);
    }

    /** The edge at which a failure ends: a task that threw would never run again. */
    private static void attempt(String failure, Runnable work) {
        try {
            work.run();
        } catch (RuntimeException | Error e) {
            LOG.warn("{}: {}", failure, e.toString());
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
        close(requests);
        close(lapses);
    }

    private static void close(AutoCloseable subscription) {
        try {
            subscription.close();
        } catch (Exception e) {
            LOG.warn("a subscription to the repository did not close", e);
        }
    }
}
