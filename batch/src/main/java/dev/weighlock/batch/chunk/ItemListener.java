package dev.weighlock.batch.chunk;

import dev.weighlock.batch.step.StepContext;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Called around each item that is read and processed and around each call of the writer, on the thread that does the
 * work; the rule of {@link dev.weighlock.batch.step.StepListener} holds, and a failing <em>before</em> is neither tried
 * again nor skipped. What failed has no <em>after</em>: {@link ChunkListener#onSkip} and {@link ChunkListener#onRetry}
 * tell of it. Work that is tried again is told again.
 */
public interface ItemListener {
    default void beforeRead(StepContext context) throws Exception {}

    /** Not called at the reader's end. */
    default void afterRead(StepContext context, Object item) throws Exception {}

    default void beforeProcess(StepContext context, Object item) throws Exception {}

    /** @param result null for an item that was filtered out */
    default void afterProcess(StepContext context, Object item, @Nullable Object result) throws Exception {}

    default void beforeWrite(StepContext context, List<?> items) throws Exception {}

    /** The items are written and not yet committed. */
    default void afterWrite(StepContext context, List<?> items) throws Exception {}
}
