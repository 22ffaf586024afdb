package dev.weighlock.batch.run;

import dev.weighlock.batch.BatchException;
import dev.weighlock.batch.chunk.Delivery;
import dev.weighlock.batch.repository.ChunkProgress;
import dev.weighlock.batch.repository.EnlistedWrite;
import dev.weighlock.batch.shutdown.TaskPhase;
import dev.weighlock.batch.testing.CrashPoint;
import java.sql.Connection;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The checkpoint is the repository's own; the rows commit with it, or before it. */
final class RepositoryStore implements ChunkStore {
    private final WorkRow row;
    private final RunningStep context;
    private final boolean sameResource;

    RepositoryStore(WorkRow row, RunningStep context, Delivery delivery) {
        this.row = row;
        this.context = context;
        this.sameResource = delivery instanceof Delivery.SameResource;
    }

    @Override
    public ChunkPosition open() {
        return ChunkPosition.of(row.context());
    }

    @Override
    public void commit(Chunk chunk) throws Exception {
        if (sameResource) {
            commitTogether(chunk);
        } else {
            chunk.write(new RunningChunk.InRepository(context, chunk.sequence(), chunk.rollback(), Optional.empty()));
            CrashPoint.reach("chunk.written");
            var position = chunk.position();
            context.task.enter(TaskPhase.TRANSACTION);
            context.run
                    .hold()
                    .run(() -> row.commitChunk(
                            () -> new ChunkProgress(chunk.attempt(), position.context()), EnlistedWrite.NONE));
        }
        CrashPoint.reach("chunk.committed");
    }

    private void commitTogether(Chunk chunk) throws Exception {
        var write = new Together(chunk);
        context.task.enter(TaskPhase.TRANSACTION);
        try {
            commit(write);
        } catch (RuntimeException | ChunkNotCommitted e) {
            // Whatever the repository made of the writer's failure, the failure itself is what counts.
            if (write.failure != null) {
                throw ConnectionLoss.translated(write.failure);
            }
            throw e;
        }
    }

    private void commit(Together write) throws ChunkNotCommitted {
        context.run.hold().check();
        try {
            row.commitChunk(write::progress, write);
        } catch (BatchException e) {
            switch (e.error()) {
                case COMMIT_OUTCOME_UNKNOWN -> throw e;
                // Nothing is committed, the rows neither: the chunk is written again.
                case REPOSITORY_UNAVAILABLE -> throw new ChunkNotCommitted(e);
                default -> throw Hold.translated(e);
            }
        }
    }

    @Override
    public void close() {}

    /** The rows in the repository's transaction, and the progress that they belong to. */
    private final class Together implements EnlistedWrite {
        private final Chunk chunk;
        private @Nullable ChunkProgress progress;
        private @Nullable Exception failure;

        Together(Chunk chunk) {
            this.chunk = chunk;
        }

        @Override
        public void write(Connection connection) {
            try {
                chunk.write(new RunningChunk.InRepository(
                        context, chunk.sequence(), chunk.rollback(), Optional.of(connection)));
                progress = new ChunkProgress(chunk.attempt(), chunk.position().context());
            } catch (Exception e) {
                failure = e;
                throw new IllegalStateException("the writer failed", e);
            }
            CrashPoint.reach("chunk.in-transaction");
        }

        ChunkProgress progress() {
            return Objects.requireNonNull(progress, "the rows are not written yet");
        }
    }
}
