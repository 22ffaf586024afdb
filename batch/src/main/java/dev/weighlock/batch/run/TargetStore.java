package dev.weighlock.batch.run;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;
import dev.weighlock.batch.ExecutionContext;
import dev.weighlock.batch.StepCounts;
import dev.weighlock.batch.chunk.Checkpoint;
import dev.weighlock.batch.chunk.CheckpointKey;
import dev.weighlock.batch.chunk.ChunkTarget;
import dev.weighlock.batch.chunk.TargetTransaction;
import dev.weighlock.batch.repository.ChunkProgress;
import dev.weighlock.batch.repository.EnlistedWrite;
import dev.weighlock.batch.shutdown.TaskPhase;
import dev.weighlock.batch.testing.CrashPoint;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The checkpoint is the target's, in the transaction of the rows; the repository is told now and then, for people, and
 * corrected from the target by whoever opens it next.
 */
final class TargetStore implements ChunkStore {
    private static final long REPORT_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private final ChunkTarget target;
    private final CheckpointKey key;
    private final WorkRow row;
    private final RunningStep context;
    private final boolean repeatable;
    private long reportedAt = System.nanoTime();
    private boolean outOfReach;
    private @Nullable ChunkProgress committed;

    /** @param repeatable whether the step may run again in its instance after it completed */
    TargetStore(ChunkTarget target, WorkRow row, RunningStep context, boolean repeatable) {
        this.target = target;
        this.row = row;
        this.context = context;
        this.repeatable = repeatable;
        this.key = new CheckpointKey(
                context.repositoryId(),
                context.instanceId(),
                context.step(),
                row.partition().orElse(""));
    }

    @Override
    public ChunkPosition open() {
        context.run.hold().check();
        try {
            var stored = target.acquire(key, context.epoch());
            if (repeatable && !ChunkPosition.isIn(row.context())) {
                return reset();
            }
            return stored.filter(checkpoint -> checkpoint.sequence() > 0)
                    .map(TargetStore::position)
                    .orElseGet(this::unwritten);
        } catch (BatchException e) {
            throw translated(e);
        }
    }

    private static ChunkPosition position(Checkpoint checkpoint) {
        return new ChunkPosition(checkpoint.sequence(), checkpoint.totals(), checkpoint.context());
    }

    private ChunkPosition unwritten() {
        var known = ChunkPosition.of(row.context());
        if (known.sequence() > 0) {
            throw new BatchException(
                    BatchError.DELIVERY_UNAVAILABLE,
                    "the target has lost the checkpoint of the step \"" + context.step() + "\", which had committed "
                            + known.sequence() + " chunks");
        }
        return known;
    }

    /**
     * A step that runs again after it completed begins at zero. The repository is marked after the target is reset, so
     * that a crash in between resets once more, and never a chunk later.
     */
    private ChunkPosition reset() {
        var zero = ChunkPosition.at(0, StepCounts.ZERO, row.context());
        try (var transaction = target.begin(key, context.epoch())) {
            transaction.commit(new Checkpoint(context.epoch(), 0, StepCounts.ZERO, ExecutionContext.EMPTY));
        }
        context.run
                .hold()
                .run(() ->
                        row.commitChunk(() -> new ChunkProgress(StepCounts.ZERO, zero.context()), EnlistedWrite.NONE));
        return zero;
    }

    @Override
    public void commit(Chunk chunk) throws Exception {
        var position = writeAndCommit(chunk);
        committed = new ChunkProgress(chunk.attempt(), position.context());
        CrashPoint.reach("chunk.committed");
    }

    private ChunkPosition writeAndCommit(Chunk chunk) throws Exception {
        ChunkPosition position;
        try (var transaction = begin()) {
            write(chunk, transaction);
            position = chunk.position();
            CrashPoint.reach("chunk.in-transaction");
            context.task.enter(TaskPhase.TRANSACTION);
            commit(transaction, position);
        }
        return position;
    }

    private void write(Chunk chunk, TargetTransaction transaction) throws Exception {
        try {
            chunk.write(new RunningChunk.InTarget(context, chunk.sequence(), chunk.rollback(), transaction));
        } catch (Exception e) {
            throw ConnectionLoss.translated(e);
        }
    }

    private TargetTransaction begin() {
        context.run.hold().check();
        try {
            return target.begin(key, context.epoch());
        } catch (BatchException e) {
            throw translated(e);
        }
    }

    private void commit(TargetTransaction transaction, ChunkPosition position) throws ChunkNotCommitted {
        context.run.hold().check();
        try {
            transaction.commit(
                    new Checkpoint(context.epoch(), position.sequence(), position.totals(), position.context()));
        } catch (BatchException e) {
            if (e.error() != BatchError.COMMIT_OUTCOME_UNKNOWN) {
                throw translated(e);
            }
            readBack(position.sequence(), e);
        }
    }

    /** No answer came: the target itself tells whether the chunk is there. */
    private void readBack(long sequence, BatchException unanswered) throws ChunkNotCommitted {
        var stored = target.read(key);
        if (stored.isPresent() && stored.get().epoch() > context.epoch()) {
            throw new LostExecution("step " + context.step() + " was taken over by a newer owner");
        }
        long committed = stored.map(Checkpoint::sequence).orElse(0L);
        if (committed == sequence - 1) {
            throw new ChunkNotCommitted(unanswered);
        }
        if (committed != sequence) {
            throw unanswered;
        }
    }

    @Override
    public void reportCommitted() {
        var progress = committed;
        if (progress != null && System.nanoTime() - reportedAt >= REPORT_NANOS) {
            report(progress);
            reportedAt = System.nanoTime();
        }
    }

    /** One that does not reach the repository is left out, for a later one tells more. */
    private void report(ChunkProgress progress) {
        try {
            row.commitChunk(() -> progress, EnlistedWrite.NONE);
            outOfReach = false;
        } catch (BatchException e) {
            if (e.error() != BatchError.REPOSITORY_UNAVAILABLE) {
                throw Hold.translated(e);
            }
            if (!outOfReach) {
                outOfReach = true;
                context.diagnostics.note("the report of committed chunks", e);
            }
        }
    }

    private static RuntimeException translated(BatchException e) {
        return e.error() == BatchError.FENCED ? new LostExecution(e) : e;
    }

    @Override
    public void close() {
        target.close();
    }
}
