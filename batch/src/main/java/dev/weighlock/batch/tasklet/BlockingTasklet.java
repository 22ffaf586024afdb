package dev.weighlock.batch.tasklet;

import dev.weighlock.batch.ExitStatus;
import dev.weighlock.batch.step.StepContext;

/** Work that cannot see a stop: once begun it runs to its end. {@link BlockingTasklets} makes a {@link Tasklet} of it. */
@FunctionalInterface
public interface BlockingTasklet {
    ExitStatus run(StepContext context) throws Exception;
}
