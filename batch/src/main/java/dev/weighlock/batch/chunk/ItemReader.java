package dev.weighlock.batch.chunk;

import dev.weighlock.batch.step.StepContext;
import org.jspecify.annotations.Nullable;

/** Gives a step's items one by one. One thread at a time reads, which need not be the one that writes. */
public interface ItemReader<T> extends ItemStream {
    /**
     * The next item, or null at the end. After an exception that is skipped, the next call gives the item after the bad
     * one.
     */
    @Nullable
    T read() throws Exception;

    /**
     * Whether the reader still stands before the item whose reading failed, so that the next {@link #read} tries that
     * one again. Then the retry policy holds for reading too, and the item cannot be skipped. Most readers have moved on.
     */
    default boolean canReadAgain(Exception failure) {
        return false;
    }

    /** Makes the reader of one attempt, so that a definition can run many times at once. */
    @FunctionalInterface
    interface Factory<T> {
        ItemReader<? extends T> create(StepContext context) throws Exception;
    }
}
