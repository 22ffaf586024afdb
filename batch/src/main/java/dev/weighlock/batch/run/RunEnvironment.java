package dev.weighlock.batch.run;

import dev.weighlock.batch.repository.JobRepository;
import dev.weighlock.batch.shutdown.OwnedTasks;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a node lends to its runs. Thread-safe.
 *
 * @param tasks gives and owns the threads
 */
public record RunEnvironment(JobRepository repository, OwnedTasks tasks, ProgressListener progress) {
    private static final Logger LOG = LoggerFactory.getLogger(RunEnvironment.class);

    /** An observer's failure is its own. */
    void tell(ProgressEvent event) {
        try {
            progress.on(event);
        } catch (RuntimeException e) {
            LOG.warn("a progress listener failed on {}", event.getClass().getSimpleName(), e);
        }
    }
}
