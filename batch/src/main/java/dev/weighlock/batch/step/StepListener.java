package dev.weighlock.batch.step;

import dev.weighlock.batch.StepExecution;

/**
 * Called around a step, on the job's thread.
 *
 * <p>The rule of all listeners: <em>before</em> in the order given, <em>after</em> in the opposite order and only for
 * those whose <em>before</em> returned. A failing <em>before</em> fails what it stands before, whose body is then not
 * called. A failing <em>after</em> changes no outcome; it is logged and added to the diagnostics.
 */
public interface StepListener {
    default void beforeStep(StepContext context) throws Exception {}

    /** @param step as it will be stored, its status and exit status decided */
    default void afterStep(StepContext context, StepExecution step) throws Exception {}
}
