package dev.weighlock.batch.launch;

import dev.weighlock.batch.JobName;
import dev.weighlock.batch.StoredDefinition;
import dev.weighlock.batch.flow.Job;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The jobs that this process has as Java objects. */
final class JavaJobs implements JobDefinitions {
    private final Map<JobName, Job> jobs = new HashMap<>();

    JavaJobs(Job... jobs) {
        for (var job : jobs) {
            this.jobs.put(job.name(), job);
        }
    }

    @Override
    public Optional<Job> find(StoredDefinition stored) {
        return Optional.ofNullable(jobs.get(stored.job()));
    }
}
