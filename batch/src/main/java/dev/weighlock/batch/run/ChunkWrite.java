package dev.weighlock.batch.run;

import dev.weighlock.batch.ExecutionContext;
import dev.weighlock.batch.StepCounts;
import dev.weighlock.batch.chunk.ChunkContext;
import dev.weighlock.batch.chunk.ItemWriter;
import dev.weighlock.batch.chunk.SkipPhase;
import dev.weighlock.batch.shutdown.TaskPhase;
import dev.weighlock.batch.stop.StopToken;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Writes one prepared chunk: tries again, and isolates bad items, as the policies allow. Bad items are found with the
 * items before them known to be good: those are written at once, the others one by one, until one fails; then all is
 * rolled back and the bad one left out. What is committed in the end was written in one transaction, each item once.
 */
final class ChunkWrite<O> implements ChunkStore.Chunk {
    private static final int UNANSWERED_TRIES = 4;
    private static final long FIRST_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(25);

    private final ChunkAttempt attempt;
    private final ItemWriter<? super O> writer;
    private final PreparedChunk<O> prepared;
    private final ChunkFaults faults;
    private final RunningStep context;
    private final boolean undoes;
    private final StopToken rollback;
    /** The chunk's own until a bad one is left out. */
    private List<O> items;

    private int knownGood;
    private int failedAt = -1;
    private boolean isolating;
    private @Nullable Exception writerFailure;
    private @Nullable ChunkPosition position;

    ChunkWrite(
            ChunkAttempt attempt,
            ItemWriter<? super O> writer,
            PreparedChunk<O> prepared,
            ChunkFaults faults,
            RunningStep context,
            boolean undoes,
            StopToken rollback) {
        this.attempt = attempt;
        this.writer = writer;
        this.prepared = prepared;
        this.faults = faults;
        this.context = context;
        this.undoes = undoes;
        this.rollback = rollback;
        this.items = prepared.items();
    }

    void commit(ChunkStore store) throws Exception {
        int retried = 0;
        int unanswered = 0;
        while (true) {
            try {
                context.task.enter(TaskPhase.CHUNK_WRITE);
                store.commit(this);
                return;
            } catch (LostExecution e) {
                throw e;
            } catch (ChunkNotCommitted e) {
                rolledBack();
                if (++unanswered == UNANSWERED_TRIES) {
                    throw e.ending();
                }
                LockSupport.parkNanos(FIRST_WAIT_NANOS << unanswered);
            } catch (Exception e) {
                rolledBack();
                if (StopCause.explains(context.stopToken(), e)) {
                    throw new StoppedInChunk();
                }
                if (isolating) {
                    skipFailed(e);
                } else if (faults.awaitRetry(SkipPhase.WRITE, retried, e)) {
                    retried++;
                } else {
                    isolate(e);
                }
            }
        }
    }

    private void rolledBack() throws Exception {
        attempt.rolledBack();
        writer.rolledBack();
    }

    /** Only what the writer itself threw tells of a bad item. */
    private void isolate(Exception failure) throws Exception {
        if (!failure.equals(writerFailure) || !faults.maySkip(SkipPhase.WRITE, failure)) {
            throw failure;
        }
        isolating = true;
        items = new ArrayList<>(items);
        if (items.size() == 1) {
            failedAt = 0;
            skipFailed(failure);
        }
    }

    private void skipFailed(Exception failure) throws Exception {
        if (failedAt < 0 || !failure.equals(writerFailure)) {
            throw failure;
        }
        faults.skip(SkipPhase.WRITE, items.get(failedAt), failure, prepared.tally());
        items.remove(failedAt);
        knownGood = failedAt;
        failedAt = -1;
    }

    @Override
    public long sequence() {
        return attempt.sequence() + 1;
    }

    @Override
    public StopToken rollback() {
        return rollback;
    }

    @Override
    public void write(ChunkContext chunk) throws Exception {
        try {
            if (!isolating) {
                writeAll(items, chunk);
            } else if (undoes) {
                writeIsolating(chunk);
            } else {
                writeEach(chunk);
            }
        } catch (Exception e) {
            writerFailure = e;
            throw e;
        }
    }

    private void writeAll(List<O> some, ChunkContext chunk) throws Exception {
        if (!some.isEmpty()) {
            write(writer, some, chunk);
        }
    }

    @SuppressWarnings("unchecked") // a writer of a supertype reads the list only
    private static <T> void write(ItemWriter<T> writer, List<?> some, ChunkContext chunk) throws Exception {
        writer.write((List<T>) some, chunk);
    }

    private void writeIsolating(ChunkContext chunk) throws Exception {
        writeAll(items.subList(0, knownGood), chunk);
        for (int i = knownGood; i < items.size(); i++) {
            failedAt = i;
            writeAll(items.subList(i, i + 1), chunk);
        }
        failedAt = -1;
    }

    /** What cannot be undone is not tried twice: a bad item is left out on the spot. */
    private void writeEach(ChunkContext chunk) throws Exception {
        for (int i = knownGood; i < items.size(); ) {
            try {
                writeAll(items.subList(i, i + 1), chunk);
                i++;
            } catch (Exception e) {
                faults.skip(SkipPhase.WRITE, items.get(i), e, prepared.tally());
                items.remove(i);
            }
            knownGood = i;
        }
    }

    @Override
    public ChunkPosition position() throws Exception {
        var base = ChunkPosition.merged(context.context(), prepared.readerPosition());
        var written =
                ChunkPosition.merged(base, writer.update(ExecutionContext.EMPTY).asMap());
        var next = ChunkPosition.at(sequence(), attempt.totals().plus(counts()), written);
        context.check(next.context());
        position = next;
        return next;
    }

    /** What was committed becomes what the step knows. */
    void accept() {
        context.accept(
                Objects.requireNonNull(position, "nothing is committed yet").context());
        attempt.committed(counts());
        context.counts(attempt.counts());
    }

    @Override
    public StepCounts attempt() {
        return attempt.counts().plus(counts());
    }

    StepCounts counts() {
        return prepared.tally().committed(items.size());
    }
}
