package dev.weighlock.batch.launch;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;
import dev.weighlock.batch.JobExecution;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Restarts what dead owners left, ahead of other launches. What finds no slot waits and is tried again, and so is what
 * got no answer; what will not restart by itself is told to people. Thread-safe.
 */
final class WaitingRestarts {
    private static final Logger LOG = LoggerFactory.getLogger(WaitingRestarts.class);

    private final JobLauncher launcher;
    private final String actor;
    private final Queue<WaitingLaunch> waiting = new ConcurrentLinkedQueue<>();

    WaitingRestarts(JobLauncher launcher, String actor) {
        this.launcher = launcher;
        this.actor = actor;
    }

    /**
     * Whether a failure may be gone at the next try: the repository gave no answer, or this node may own nothing just
     * now.
     */
    static boolean mayPass(RuntimeException e) {
        return e instanceof BatchException failure
                && (failure.error() == BatchError.REPOSITORY_UNAVAILABLE
                        || failure.error() == BatchError.COMMIT_OUTCOME_UNKNOWN);
    }

    /** Whether it is over and done with, or waits here; else the caller tries it again. */
    boolean restart(JobExecution failed) {
        var options = LaunchOptions.DEFAULT.withActor(actor).ahead();
        var result = launcher.restart(failed.id(), options);
        switch (result) {
            case LaunchResult.Launched _ -> LOG.info("execution {} of a dead owner restarts: {}", failed.id(), result);
            case LaunchResult.Queued(var again) -> waiting.add(again);
            case LaunchResult.LimitReached limit -> {
                LOG.info("execution {} of a dead owner restarts when a slot is free: {}", failed.id(), limit);
                return false;
            }
            case LaunchResult.AlreadyRunning _,
                    LaunchResult.AlreadyComplete _,
                    LaunchResult.AlreadyQueued _,
                    LaunchResult.Superseded _,
                    LaunchResult.NotFound _ ->
                LOG.info("somebody else went on with execution {} of a dead owner: {}", failed.id(), result);
            case LaunchResult.OutcomeUnknown _,
                    LaunchResult.DefinitionChanged _,
                    LaunchResult.DefinitionUnavailable _,
                    LaunchResult.TooFewConnections _,
                    LaunchResult.Held _,
                    LaunchResult.Withdrawn _,
                    LaunchResult.ShuttingDown _ ->
                LOG.warn(
                        "execution {} of a dead owner does not restart by itself, 'wl restart {}' does it: {}",
                        failed.id(),
                        failed.id(),
                        result);
        }
        return true;
    }

    void retry() {
        for (int left = waiting.size(); left > 0; left--) {
            var one = waiting.poll();
            if (one != null && !isOver(one)) {
                waiting.add(one);
            }
        }
    }

    private static boolean isOver(WaitingLaunch one) {
        try {
            return one.tryLaunch().isPresent();
        } catch (RuntimeException e) {
            if (mayPass(e)) {
                LOG.warn("launch request {} waits on: {}", one.request().name(), e.toString());
                return false;
            }
            LOG.error(
                    "launch request {} of a dead owner's job cannot begin",
                    one.request().name(),
                    e);
            giveUp(one);
            return true;
        }
    }

    /** It would hold up those behind it for ever. */
    private static void giveUp(WaitingLaunch one) {
        try {
            one.close();
        } catch (RuntimeException e) {
            LOG.warn("launch request {} could not be cancelled", one.request().name(), e);
        }
    }
}
