package dev.weighlock.batch.step;

import dev.weighlock.batch.JobExecution;

/** Called around a job execution, on its thread; the rule of {@link StepListener} holds. */
public interface JobListener {
    default void beforeJob(JobContext context) throws Exception {}

    /** @param execution as it will be stored */
    default void afterJob(JobContext context, JobExecution execution) throws Exception {}
}
