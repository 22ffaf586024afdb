package dev.weighlock.batch.run;

import dev.weighlock.batch.ExecutionContext;
import dev.weighlock.batch.chunk.ChunkProcessor;
import dev.weighlock.batch.chunk.ItemReader;
import dev.weighlock.batch.chunk.SkipPhase;
import dev.weighlock.batch.flow.ChunkStep;
import dev.weighlock.batch.shutdown.OwnedTask;
import dev.weighlock.batch.shutdown.TaskPhase;
import dev.weighlock.batch.stop.StopToken;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads and processes the next chunk. One thread at a time, the same or another than the one that writes. */
final class ChunkPreparation<I, O> {
    private final ChunkStep<I, O> step;
    private final ItemReader<? extends I> reader;
    private final ChunkProcessor<I, O> processor;
    private final ChunkFaults faults;
    private final StopToken stop;

    ChunkPreparation(
            ChunkStep<I, O> step,
            ItemReader<? extends I> reader,
            ChunkProcessor<I, O> processor,
            ChunkFaults faults,
            StopToken stop) {
        this.step = step;
        this.reader = reader;
        this.processor = processor;
        this.faults = faults;
        this.stop = stop;
    }

    /** A stop cuts the chunk at the items already read. Skips of a chunk that fails here are given back. */
    PreparedChunk<O> prepare(OwnedTask task) throws Exception {
        task.enter(TaskPhase.CHUNK_READ_PROCESS);
        var tally = new ChunkTally();
        try {
            var items = new ArrayList<I>(Math.min(step.size(), 10_000));
            boolean last = read(items, tally);
            var position = reader.update(ExecutionContext.EMPTY).asMap();
            return new PreparedChunk<>(process(items, tally), tally, position, last);
        } catch (Throwable e) {
            faults.giveBack(tally);
            throw e;
        }
    }

    private boolean read(List<I> items, ChunkTally tally) throws Exception {
        int retried = 0;
        while (items.size() < step.size() && !stop.isStopRequested()) {
            try {
                var item = reader.read();
                if (item == null) {
                    return true;
                }
                tally.read++;
                items.add(item);
                retried = 0;
            } catch (Exception e) {
                if (!reader.canReadAgain(e)) {
                    tally.read++;
                    faults.skip(SkipPhase.READ, null, e, tally);
                } else if (!faults.awaitRetry(SkipPhase.READ, retried++, e)) {
                    throw e;
                }
            }
        }
        return false;
    }

    private List<O> process(List<I> items, ChunkTally tally) throws Exception {
        var outputs = new ArrayList<O>(items.size());
        if (items.isEmpty()) {
            return outputs;
        }
        if (!faults.tolerates()) {
            collect(processor.process(items), items.size(), outputs, tally);
        } else if (processor.isItemwise() || !processWhole(items, outputs, tally)) {
            for (var item : items) {
                processOne(item, outputs, tally);
            }
        }
        return outputs;
    }

    private boolean processWhole(List<I> items, List<O> outputs, ChunkTally tally) throws Exception {
        List<@Nullable O> results;
        try {
            results = processor.process(items);
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            return false;
        }
        collect(results, items.size(), outputs, tally);
        return true;
    }

    private void processOne(I item, List<O> outputs, ChunkTally tally) throws Exception {
        for (int retried = 0; ; retried++) {
            try {
                collect(processor.process(List.of(item)), 1, outputs, tally);
                return;
            } catch (Exception e) {
                if (!faults.awaitRetry(SkipPhase.PROCESS, retried, e)) {
                    faults.skip(SkipPhase.PROCESS, item, e, tally);
                    return;
                }
            }
        }
    }

    private static <O> void collect(List<@Nullable O> results, int expected, List<O> outputs, ChunkTally tally) {
        if (results.size() != expected) {
            throw new IllegalStateException(
                    "a chunk processor gave " + results.size() + " results for " + expected + " items");
        }
        tally.processed += expected;
        for (var result : results) {
            if (result == null) {
                tally.filtered++;
            } else {
                outputs.add(result);
            }
        }
    }
}
