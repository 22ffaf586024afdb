package dev.weighlock.batch.chunk;

import dev.weighlock.batch.step.StepContext;
import dev.weighlock.batch.stop.StopToken;

/** What a writer sees of the chunk it writes. Valid during that call, on its thread. */
public interface ChunkContext {
    StepContext step();

    /** Number of the chunk in the step or partition over all attempts, from 1; unchanged when it is tried again. */
    long sequence();

    /**
     * Fires at a stop that rolls this chunk back, so that a writer may cancel what it waits for; never where the step
     * finishes a chunk that it has begun.
     */
    default StopToken rollback() {
        return StopToken.never();
    }

    /**
     * The transaction that the chunk commits in: a {@link java.sql.Connection} over JDBC. The runtime commits it.
     *
     * @throws dev.weighlock.batch.BatchException DELIVERY_UNAVAILABLE when the step's delivery has no transaction of
     *     this type
     */
    <T> T transaction(Class<T> type);
}
