package dev.weighlock.batch.launch;

import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.JobParameters;
import dev.weighlock.batch.flow.Job;
import dev.weighlock.batch.repository.AuditEntry;
import dev.weighlock.batch.repository.LaunchDecision;
import dev.weighlock.batch.repository.QueuedLaunch;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A launch that waits for a slot of its job. Whoever got it asks for its turn until it has an answer, or closes it, which
 * cancels it.
 *
 * <p>For one thread, but for {@link #request}, {@link #place} and {@link #running}.
 */
public final class WaitingLaunch implements AutoCloseable {
    private final JobLauncher launcher;
    private final Job job;
    private final JobParameters parameters;
    private final LaunchOptions options;
    private volatile LaunchDecision.Queued last;
    private boolean over;

    WaitingLaunch(
            JobLauncher launcher,
            Job job,
            JobParameters parameters,
            LaunchOptions options,
            LaunchDecision.Queued queued) {
        this.launcher = launcher;
        this.job = job;
        this.parameters = parameters;
        this.options = options;
        this.last = queued;
    }

    LaunchDecision.Queued decision() {
        return last;
    }

    public QueuedLaunch request() {
        return last.request();
    }

    /** 1 for the next one, as of the last look. */
    public int place() {
        return last.ahead().size() + 1;
    }

    /** Who had the slots at the last look. */
    public List<JobExecution> running() {
        return last.running();
    }

    /** Launches when it is its turn; empty when it is not. Anything but a launch ends the waiting. */
    public Optional<LaunchResult> tryLaunch() {
        var result = launcher.launch(
                job, parameters, options, OptionalLong.of(request().id()));
        if (result instanceof LaunchResult.Queued(var still)) {
            last = still.decision();
            return Optional.empty();
        }
        if (!(result instanceof LaunchResult.Launched)) {
            close();
        }
        over = true;
        return Optional.of(result);
    }

    /** Tries now and then, at most so long. */
    public Optional<LaunchResult> await(Duration atMost) throws InterruptedException {
        long deadline = System.nanoTime() + atMost.toNanos();
        var never = new CountDownLatch(1);
        while (true) {
            var result = tryLaunch();
            long left = deadline - System.nanoTime();
            if (result.isPresent() || left <= 0) {
                return result;
            }
            never.await(Math.min(left, launcher.poll().toNanos()), TimeUnit.NANOSECONDS);
        }
    }

    /** Cancels the request where it still waits. Idempotent. */
    @Override
    public void close() {
        if (!over) {
            over = true;
            launcher.repository()
                    .cancelQueued(
                            request().id(),
                            new AuditEntry("cancel", options.actor(), request().name() + ": it waited no longer"));
        }
    }
}
