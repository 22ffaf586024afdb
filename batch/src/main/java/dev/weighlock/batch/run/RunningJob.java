package dev.weighlock.batch.run;

import dev.weighlock.batch.JobExecution;
import java.time.Duration;
import java.util.Optional;

/** An execution that this process runs. Thread-safe. */
public interface RunningJob {
    long executionId();

    /** The execution as this process last stored it. */
    JobExecution execution();

    /** Waits until the run is over. */
    RunOutcome await() throws InterruptedException;

    /** Waits at most so long; empty when the run goes on. */
    Optional<RunOutcome> await(Duration atMost) throws InterruptedException;

    /** Asks the run to stop, which this process records as its own request. Returns at once; repeats are harmless. */
    void stop();
}
