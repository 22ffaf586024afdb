package dev.weighlock.batch.chunk;

import dev.weighlock.batch.step.StepContext;
import org.jspecify.annotations.Nullable;

/** Turns an item into what is written. May be called again for the same item after a failure. */
@FunctionalInterface
public interface ItemProcessor<I, O> {
    /** The item to write, or null to filter it out. */
    @Nullable
    O process(I item) throws Exception;

    /** Makes the processor of one attempt. */
    @FunctionalInterface
    interface Factory<I, O> {
        ItemProcessor<? super I, ? extends O> create(StepContext context) throws Exception;
    }
}
