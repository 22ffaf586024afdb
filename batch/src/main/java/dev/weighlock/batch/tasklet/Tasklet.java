package dev.weighlock.batch.tasklet;

import dev.weighlock.batch.step.StepContext;

/**
 * A step's work in one piece, which cooperates with its {@link StepContext#stopToken stop token}. May run on several
 * threads at once when the step is partitioned or several executions run.
 */
@FunctionalInterface
public interface Tasklet {
    /** Does the work; an exception fails the step. */
    TaskletOutcome run(StepContext context) throws Exception;
}
