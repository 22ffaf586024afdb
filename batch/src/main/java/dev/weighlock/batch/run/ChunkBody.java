package dev.weighlock.batch.run;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;
import dev.weighlock.batch.ExitStatus;
import dev.weighlock.batch.FailureCategory;
import dev.weighlock.batch.StopTiming;
import dev.weighlock.batch.chunk.ChunkProcessor;
import dev.weighlock.batch.chunk.Delivery;
import dev.weighlock.batch.chunk.InFlight;
import dev.weighlock.batch.chunk.ItemReader;
import dev.weighlock.batch.chunk.ItemStream;
import dev.weighlock.batch.chunk.ItemWriter;
import dev.weighlock.batch.flow.ChunkStep;
import dev.weighlock.batch.shutdown.TaskPhase;
import java.util.ArrayDeque;
import java.util.Deque;

/** Runs a chunk step once, for a step or a partition: opens its parts, goes chunk by chunk, closes them. */
final class ChunkBody<I, O> {
    private final ChunkStep<I, O> step;
    private final WorkRow row;
    private final RunningStep context;
    private final SkipBudget skips;
    private final Deque<ItemStream> opened = new ArrayDeque<>();

    private ChunkBody(ChunkStep<I, O> step, WorkRow row, RunningStep context, SkipBudget skips) {
        this.step = step;
        this.row = row;
        this.context = context;
        this.skips = skips;
    }

    static <I, O> BodyResult run(ChunkStep<I, O> step, WorkRow row, RunningStep context, SkipBudget skips) {
        if (context.stopToken().isStopRequested()) {
            return BodyResult.stopped(StopTiming.BEFORE_START, context.counts());
        }
        return new ChunkBody<>(step, row, context, skips).run();
    }

    /** The edge at which a user's exception becomes an outcome. */
    private BodyResult run() {
        context.task.enter(TaskPhase.CHUNK_READ_PROCESS);
        try (var store = store()) {
            return chunks(store);
        } catch (StoppedInChunk e) {
            return BodyResult.stopped(StopTiming.DURING_EXECUTION, context.counts());
        } catch (Throwable e) {
            return failure(e);
        } finally {
            close();
            context.task.enter(TaskPhase.FLOW_DECISION);
            TaskletBody.clearInterrupt(context);
        }
    }

    private BodyResult failure(Throwable failure) {
        if (failure instanceof BatchException e && e.error() == BatchError.COMMIT_OUTCOME_UNKNOWN) {
            context.diagnostics.add(String.valueOf(e.getMessage()));
            return BodyResult.unknown(context.counts());
        }
        return TaskletBody.failure(failure, context);
    }

    private ChunkStore store() throws Exception {
        return step.delivery() instanceof Delivery.WithTarget(var factory)
                ? new TargetStore(factory.open(context), row, context, step.allowStartIfComplete())
                : new RepositoryStore(row, context, step.delivery());
    }

    private BodyResult chunks(ChunkStore store) throws Exception {
        var known = ChunkPosition.of(row.context()).totals();
        var position = store.open();
        var uncounted = position.totals().minus(known);
        skips.take(uncounted.skipped());
        context.store(position.context());
        JobEntries.recall(position.context(), context.run.row());
        context.counts(uncounted);
        ItemReader<? extends I> reader = open(step.work().reader().create(context));
        ChunkProcessor<I, O> processor = open(step.work().processor().create(context));
        ItemWriter<? super O> writer = open(step.work().writer().create(context));
        var faults = new ChunkFaults(step, context, skips);
        var heard = new Heard(step.itemListeners(), context);
        var preparation = new ChunkPreparation<I, O>(
                step, heard.reader(reader), heard.processor(processor), faults, context.stopToken());
        var loop = new ChunkLoop<I, O>(
                step,
                context,
                row,
                store,
                new ChunkAttempt(position, uncounted),
                preparation,
                heard.<O>writer(writer),
                faults);
        boolean finished = loop.run();
        if (!finished) {
            return BodyResult.stopped(StopTiming.DURING_EXECUTION, context.counts());
        }
        writer.complete();
        return balanced();
    }

    private <S extends ItemStream> S open(S stream) throws Exception {
        opened.push(stream);
        stream.open(context.context(), context);
        return stream;
    }

    private BodyResult balanced() {
        var counts = context.counts();
        if (counts.isBalanced()) {
            return BodyResult.completed(ExitStatus.COMPLETED, counts);
        }
        var failure =
                context.diagnostics.failed(FailureCategory.INTERNAL, BatchError.COUNTS_DO_NOT_BALANCE + ": " + counts);
        return BodyResult.failed(failure, counts);
    }

    /** In reverse; what a close throws changes no outcome, for everything that counts is committed. */
    private void close() {
        while (!opened.isEmpty()) {
            var stream = opened.pop();
            try {
                stream.close();
            } catch (Exception e) {
                context.diagnostics.note("close of " + stream.getClass().getName(), e);
            }
        }
    }

    static boolean rollsBack(ChunkStep<?, ?> step, RunningStep context) {
        return step.inFlight() == InFlight.ROLLBACK_CHUNK && context.stopToken().isStopRequested();
    }
}
