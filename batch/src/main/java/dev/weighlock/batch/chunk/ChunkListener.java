package dev.weighlock.batch.chunk;

import dev.weighlock.batch.StepCounts;
import dev.weighlock.batch.step.StepContext;
import org.jspecify.annotations.Nullable;

/**
 * Called around chunks and bad items, on the thread that does the work; the rule of
 * {@link dev.weighlock.batch.step.StepListener} holds. {@link #onSkip} and {@link #onRetry} count as <em>after</em>.
 */
public interface ChunkListener {
    /** Before the chunk's transaction begins; a failure fails the step. */
    default void beforeChunk(StepContext context, int items) throws Exception {}

    /** @param attempt counts of this step's or partition's attempt so far; the chunk is committed */
    default void afterChunk(StepContext context, StepCounts attempt) throws Exception {}

    /** @param item null for an item that could not be read */
    default void onSkip(StepContext context, SkipPhase phase, @Nullable Object item, Throwable failure)
            throws Exception {}

    /** @param retry 1 for the first */
    default void onRetry(StepContext context, SkipPhase phase, int retry, Throwable failure) throws Exception {}
}
