package dev.weighlock.batch.chunk;

/** One open transaction of a target. Closing rolls back what is not committed. */
public interface TargetTransaction extends AutoCloseable {
    /**
     * The transaction in the target's own type, such as {@link java.sql.Connection}.
     *
     * @throws dev.weighlock.batch.BatchException DELIVERY_UNAVAILABLE for another type
     */
    <T> T unwrap(Class<T> type);

    /**
     * Stores the checkpoint as the last statement, guarded by its epoch, and commits.
     *
     * @throws dev.weighlock.batch.BatchException FENCED when a newer owner raised the epoch (nothing is committed),
     *     COMMIT_OUTCOME_UNKNOWN when no answer came
     */
    void commit(Checkpoint checkpoint);

    @Override
    void close();
}
