package dev.weighlock.batch.chunk;

import java.util.Optional;

/**
 * A resource that commits a chunk's rows together with a checkpoint of its own. Of one step or partition attempt, used
 * by one thread at a time; the runtime closes it.
 *
 * <p>The checkpoint row is updated last in its transaction, only where {@code stored epoch <= mine}, so that an owner
 * that was replaced cannot commit any more.
 */
public interface ChunkTarget extends AutoCloseable {
    /**
     * Makes this attempt the owner of the checkpoint: raises its epoch in a transaction of its own, making the row when
     * there is none, after ending transactions of an older owner that still hold it.
     *
     * @return what is committed there; empty when no chunk ever was
     * @throws dev.weighlock.batch.BatchException FENCED when a newer owner was there, DELIVERY_UNAVAILABLE when the
     *     target cannot keep a checkpoint
     */
    Optional<Checkpoint> acquire(CheckpointKey key, long epoch);

    /** Begins the transaction of one chunk. */
    TargetTransaction begin(CheckpointKey key, long epoch);

    /**
     * What is committed, read anew (on a new connection if need be): decides after a COMMIT without an answer.
     *
     * @throws dev.weighlock.batch.BatchException COMMIT_OUTCOME_UNKNOWN when the target cannot tell
     */
    Optional<Checkpoint> read(CheckpointKey key);

    @Override
    void close();
}
