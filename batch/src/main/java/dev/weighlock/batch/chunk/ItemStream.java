package dev.weighlock.batch.chunk;

import dev.weighlock.batch.ExecutionContext;
import dev.weighlock.batch.step.StepContext;

/**
 * Something with a position that survives a restart. Of one step or partition attempt, and of one thread at a time;
 * the runtime opens and closes it.
 */
public interface ItemStream {
    /**
     * Prepares for work, from the position in {@code context} when there is one.
     *
     * @param context of the last commit; empty on the first attempt
     */
    default void open(ExecutionContext context, StepContext step) throws Exception {}

    /**
     * {@code context} with this stream's position under keys of its own. Called once a chunk: for a reader right after
     * the chunk's last item was read, for a writer after the chunk was written and before it is committed.
     */
    default ExecutionContext update(ExecutionContext context) throws Exception {
        return context;
    }

    /** The chunk last updated for is committed, and stays so: a failure here only fails the step. Writers only. */
    default void committed() throws Exception {}

    /** What was written since the last commit is undone: a writer that keeps a file cuts it back. Writers only. */
    default void rolledBack() throws Exception {}

    /**
     * The step or partition has written everything, all of it committed: a writer puts its result in place. Called
     * again on a restart when the process died in between.
     */
    default void complete() throws Exception {}

    /** Releases what {@link #open} took; also called when it failed. Idempotent. */
    default void close() throws Exception {}
}
