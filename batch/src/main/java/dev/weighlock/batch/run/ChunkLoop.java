package dev.weighlock.batch.run;

import dev.weighlock.batch.chunk.InFlight;
import dev.weighlock.batch.chunk.ItemWriter;
import dev.weighlock.batch.flow.ChunkStep;
import dev.weighlock.batch.stop.StopToken;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Read, process, write, commit, until the reader is at its end or a stop comes.
 *
 * <p>With read-ahead the next chunk is prepared on another thread while this one writes; the loop waits for it before
 * it goes on or ends, so that the reader never outlives the step. The order of chunks and their checkpoints are the
 * same.
 */
final class ChunkLoop<I, O> {
    private final ChunkStep<I, O> step;
    private final RunningStep context;
    private final WorkRow row;
    private final ChunkStore store;
    private final ChunkAttempt attempt;
    private final ChunkPreparation<I, O> preparation;
    private final ItemWriter<? super O> writer;
    private final ChunkFaults faults;

    ChunkLoop(
            ChunkStep<I, O> step,
            RunningStep context,
            WorkRow row,
            ChunkStore store,
            ChunkAttempt attempt,
            ChunkPreparation<I, O> preparation,
            ItemWriter<? super O> writer,
            ChunkFaults faults) {
        this.step = step;
        this.context = context;
        this.row = row;
        this.store = store;
        this.attempt = attempt;
        this.preparation = preparation;
        this.writer = writer;
        this.faults = faults;
    }

    /** Whether the reader's end is committed; false when a stop ended the loop. */
    boolean run() throws Exception {
        var next = prepareHere();
        while (true) {
            var chunk = next;
            if (ChunkBody.rollsBack(step, context)) {
                faults.giveBack(chunk.tally());
                attempt.rolledBack();
                context.counts(attempt.counts());
                return false;
            }
            if (chunk.last() && chunk.tally().isEmpty()) {
                return true;
            }
            var ahead = chunk.last() || !step.readAhead() ? null : prepareAhead();
            try {
                if (!chunk.tally().isEmpty()) {
                    write(chunk);
                }
            } catch (Throwable e) {
                discard(ahead);
                throw e;
            }
            if (chunk.last()) {
                return true;
            }
            if (context.stopToken().isStopRequested()) {
                discard(ahead);
                return false;
            }
            next = ahead == null ? prepareHere() : await(ahead);
        }
    }

    private PreparedChunk<O> prepareHere() throws Exception {
        try {
            return preparation.prepare(context.task);
        } catch (Exception e) {
            attempt.rolledBack();
            context.counts(attempt.counts());
            throw e;
        }
    }

    private CompletableFuture<PreparedChunk<O>> prepareAhead() {
        var ahead = new CompletableFuture<PreparedChunk<O>>();
        context.run.spawn(context.task.phase(), task -> {
            try {
                ahead.complete(preparation.prepare(task));
            } catch (Throwable e) {
                ahead.completeExceptionally(e);
            }
        });
        return ahead;
    }

    private PreparedChunk<O> await(CompletableFuture<PreparedChunk<O>> ahead) throws Exception {
        try {
            return ahead.join();
        } catch (CompletionException e) {
            attempt.rolledBack();
            context.counts(attempt.counts());
            switch (e.getCause()) {
                case Exception failure -> throw failure;
                case Error error -> throw error;
                case null, default -> throw e;
            }
        }
    }

    private void discard(@Nullable CompletableFuture<PreparedChunk<O>> ahead) {
        if (ahead != null) {
            ahead.handle((chunk, failure) -> chunk)
                    .thenAccept(chunk -> {
                        if (chunk != null) {
                            faults.giveBack(chunk.tally());
                        }
                    })
                    .join();
        }
    }

    /** What a chunk in flight goes by: nothing tells one that is to be finished. */
    private StopToken rollback() {
        return step.inFlight() == InFlight.ROLLBACK_CHUNK ? context.stopToken() : StopToken.never();
    }

    private void write(PreparedChunk<O> chunk) throws Exception {
        var write = new ChunkWrite<>(
                attempt, writer, chunk, faults, context, step.delivery().undoes(), rollback());
        var listeners = new Listeners<>(step.chunkListeners(), context.diagnostics);
        try {
            listeners.before(
                    listener -> listener.beforeChunk(context, chunk.items().size()));
            write.commit(store);
        } catch (Throwable e) {
            faults.giveBack(chunk.tally());
            context.counts(attempt.counts());
            throw e;
        }
        write.accept();
        try {
            store.reportCommitted();
            writer.committed();
        } finally {
            listeners.after("afterChunk", listener -> listener.afterChunk(context, attempt.counts()));
            context.run.chunkCommitted(row, attempt.counts());
        }
    }
}
