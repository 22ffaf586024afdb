package dev.weighlock.batch.step;

import dev.weighlock.batch.ExecutionContext;
import dev.weighlock.batch.JobName;
import dev.weighlock.batch.JobParameters;
import dev.weighlock.batch.StepName;
import dev.weighlock.batch.stop.StopToken;
import java.util.UUID;

/** What code of a job sees while it runs. Thread-safe; valid until that code returns. */
public interface JobContext {
    JobName job();

    long instanceId();

    long executionId();

    /** 1 for the first execution of the instance. */
    int jobAttempt();

    JobParameters parameters();

    /**
     * The value of a secret parameter, resolved when the execution started. Keep it nowhere.
     *
     * @throws dev.weighlock.batch.BatchException INVALID_PARAMETER when there is no such secret parameter
     */
    String secret(String parameter);

    /** The job's own context: what the last attempt left, and what steps put into it since. */
    ExecutionContext jobContext();

    /**
     * The stored context of another step of this instance, for {@code :STEP_context_KEY}; empty when it never ran. Reads
     * the repository: from platform threads only.
     */
    ExecutionContext stepContext(StepName step);

    /** The repository's id, which keys its checkpoints in target databases. */
    UUID repositoryId();

    /** The owner's epoch: whatever this execution writes elsewhere carries it, so that an older owner is fenced. */
    long epoch();

    StopToken stopToken();
}
