package dev.weighlock.batch.run;

import dev.weighlock.batch.StepCounts;
import dev.weighlock.batch.chunk.ChunkContext;
import dev.weighlock.batch.stop.StopToken;

/** Where a chunk's rows and its checkpoint are committed: one form for each delivery. For one thread at a time. */
interface ChunkStore extends AutoCloseable {
    /** A chunk's rows, and what is known once they are written. */
    interface Chunk {
        long sequence();

        /** Fires at a stop that rolls the chunk back. */
        StopToken rollback();

        /** Writes the rows. */
        void write(ChunkContext chunk) throws Exception;

        /** The position with the chunk in it. */
        ChunkPosition position() throws Exception;

        /** The attempt's counts with the chunk in them. */
        StepCounts attempt();
    }

    /** Makes this attempt the owner and tells what is committed. */
    ChunkPosition open();

    /**
     * Writes and commits.
     *
     * @throws LostExecution when this owner may not write any more
     * @throws dev.weighlock.batch.BatchException COMMIT_OUTCOME_UNKNOWN when nobody can tell whether it is committed
     * @throws Exception of the writer; nothing is committed, and a store that can undo has undone
     */
    void commit(Chunk chunk) throws Exception;

    /**
     * Tells others what is committed, where that is due. Nothing of it can undo the chunk.
     *
     * @throws LostExecution when this owner learns by it that it may not write any more
     */
    default void reportCommitted() {}

    @Override
    void close();
}
