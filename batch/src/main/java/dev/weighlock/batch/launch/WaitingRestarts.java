package dev.weighlock.batch.launch;

import dev.weighlock.batch.JobExecution;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Restarts what dead owners left, ahead of other launches; what finds no slot waits and is tried again. Thread-safe. */
final class WaitingRestarts {
    private static final Logger LOG = LoggerFactory.getLogger(WaitingRestarts.class);

    private final JobLauncher launcher;
    private final String actor;
    private final Queue<WaitingLaunch> waiting = new ConcurrentLinkedQueue<>();

    WaitingRestarts(JobLauncher launcher, String actor) {
        this.launcher = launcher;
        this.actor = actor;
    }

    void restart(JobExecution failed) {
        var options = LaunchOptions.DEFAULT.withActor(actor).ahead();
        tell(failed.id(), launcher.restart(failed.id(), options));
    }

    private void tell(long id, LaunchResult result) {
        if (result instanceof LaunchResult.Queued(var again)) {
            waiting.add(again);
        }
        LOG.info("execution {} of a dead owner restarts: {}", id, result);
    }

    void retry() {
        for (int left = waiting.size(); left > 0; left--) {
            var one = waiting.poll();
            if (one != null && one.tryLaunch().isEmpty()) {
                waiting.add(one);
            }
        }
    }
}
