package dev.weighlock.batch.chunk;

import dev.weighlock.batch.step.StepContext;
import java.util.List;

/**
 * Writes a chunk's items. When a chunk is tried again or its bad item is looked for, it is called again with the same
 * items after {@link #rolledBack}.
 */
@FunctionalInterface
public interface ItemWriter<T> extends ItemStream {
    void write(List<T> items, ChunkContext chunk) throws Exception;

    /** Makes the writer of one attempt. */
    @FunctionalInterface
    interface Factory<T> {
        ItemWriter<? super T> create(StepContext context) throws Exception;
    }
}
