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
 * polls. The same thread looks for dead owners.
 *
 * <p>Thread-safe; one platform daemon.
 */
final class StopWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StopWatch.class);

    private final JobRepository repository;
    private final ActiveRuns runs;
    private final DeadOwners deadOwners;
    private final LetGo letGo;
    private final AutoCloseable subscription;
    private final ScheduledExecutorService thread;

    StopWatch(JobRepository repository, ActiveRuns runs, DeadOwners deadOwners, LetGo letGo, NodeSettings settings) {
        this.repository = repository;
        this.runs = runs;
        this.deadOwners = deadOwners;
        this.letGo = letGo;
        this.subscription = repository.onStopRequested(runs::stop);
        this.thread = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name("weighlock-watch").factory());
        long poll = settings.poll().toMillis();
        long recovery = settings.recovery().toMillis();
        var _ = thread.scheduleWithFixedDelay(this::poll, poll, poll, TimeUnit.MILLISECONDS);
        var _ = thread.scheduleWithFixedDelay(this::recover, 0, recovery, TimeUnit.MILLISECONDS);
    }

    /** A failed poll is followed by the next one. */
    private void poll() {
        try {
            repository.pendingStops().stream().map(StopRequest::executionId).forEach(runs::stop);
        } catch (RuntimeException e) {
            LOG.warn("stop requests could not be read: {}", e.toString());
        }
        letGo.settle();
    }

    private void recover() {
        try {
            deadOwners.recover();
        } catch (RuntimeException e) {
            LOG.warn("executions of dead owners could not be looked for: {}", e.toString());
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
        try {
            subscription.close();
        } catch (Exception e) {
            LOG.warn("the subscription to stop requests did not close", e);
        }
    }
}
