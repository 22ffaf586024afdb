package dev.weighlock.batch.chunk;

import dev.weighlock.batch.step.StepContext;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Turns a chunk's items at once into what is written. When it fails and the fault policy allows, it is called for each
 * item alone.
 */
public interface ChunkProcessor<I, O> extends ItemStream {
    /** One result an item, in the same order; null filters the item out. */
    List<@Nullable O> process(List<I> items) throws Exception;

    /** Whether it takes items one by one anyway, so that a bad one is known without a second try. */
    default boolean isItemwise() {
        return false;
    }

    /** Makes the processor of one attempt. */
    @FunctionalInterface
    interface Factory<I, O> {
        ChunkProcessor<I, O> create(StepContext context) throws Exception;
    }
}
