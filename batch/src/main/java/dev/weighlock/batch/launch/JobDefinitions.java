package dev.weighlock.batch.launch;

import dev.weighlock.batch.StoredDefinition;
import dev.weighlock.batch.flow.Job;
import java.util.Optional;

/** Makes a job of its stored definition, so that a node restarts what another launched. Thread-safe. */
@FunctionalInterface
public interface JobDefinitions {
    /** Empty when this program cannot run the definition. */
    Optional<Job> find(StoredDefinition stored);

    /** Java jobs by name; their stored definition is only compared. */
    static JobDefinitions of(Job... jobs) {
        return new JavaJobs(jobs);
    }

    /** Asks {@code other} where this one finds nothing. */
    default JobDefinitions orElse(JobDefinitions other) {
        return stored -> find(stored).or(() -> other.find(stored));
    }
}
