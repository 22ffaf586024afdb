package dev.weighlock.batch.chunk;

import dev.weighlock.batch.step.StepContext;

/** What a writer sees of the chunk it writes. Valid during that call, on its thread. */
public interface ChunkContext {
    StepContext step();

    /** Number of the chunk in the step or partition over all attempts, from 1; unchanged when it is tried again. */
    long sequence();

    /**
     * The transaction that the chunk commits in: a {@link java.sql.Connection} over JDBC. The runtime commits it.
     *
     * @throws dev.weighlock.batch.BatchException DELIVERY_UNAVAILABLE when the step's delivery has no transaction of
     *     this type
     */
    <T> T transaction(Class<T> type);
}
