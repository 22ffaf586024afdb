package dev.weighlock.batch.run;

import dev.weighlock.batch.chunk.ChunkListener;
import dev.weighlock.batch.chunk.Located;
import dev.weighlock.batch.chunk.SkipPhase;
import dev.weighlock.batch.flow.ChunkStep;
import dev.weighlock.batch.shutdown.TaskPhase;
import dev.weighlock.batch.testing.CrashPoint;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Applies a chunk step's retry and skip policies, and tells its listeners. Thread-safe. */
final class ChunkFaults {
    private static final Logger LOG = LoggerFactory.getLogger(ChunkFaults.class);
    private static final int MOST_LOGGED = 1_000;

    private final AtomicInteger logged = new AtomicInteger();
    private final ChunkStep<?, ?> step;
    private final RunningStep context;
    private final SkipBudget budget;

    ChunkFaults(ChunkStep<?, ?> step, RunningStep context, SkipBudget budget) {
        this.step = step;
        this.context = context;
        this.budget = budget;
    }

    boolean tolerates() {
        return step.retry().limit() > 0 || step.skip().limit() > 0;
    }

    boolean maySkip(SkipPhase phase, Throwable failure) {
        return !(failure instanceof ListenerFailure) && step.skip().covers(phase, failure);
    }

    /**
     * Waits before trying again; false when the policy does not allow that.
     *
     * @param retried how often already
     */
    boolean awaitRetry(SkipPhase phase, int retried, Throwable failure) throws StoppedInChunk, InterruptedException {
        checkStop(failure);
        if (failure instanceof ListenerFailure
                || retried >= step.retry().limit()
                || !step.retry().covers(failure)) {
            return false;
        }
        Listeners.tell(
                step.chunkListeners(),
                "onRetry",
                context.diagnostics,
                listener -> listener.onRetry(context, phase, retried + 1, failure));
        backOff(retried + 1);
        return true;
    }

    /** A statement that a stop cancelled is no bad item. */
    private void checkStop(Throwable failure) throws StoppedInChunk {
        if (StopCause.explains(context.stopToken(), failure)) {
            throw new StoppedInChunk();
        }
    }

    private void backOff(int retry) throws StoppedInChunk, InterruptedException {
        var wait = step.retry().backoff().wait(retry, ThreadLocalRandom.current());
        var before = context.task.phase();
        context.task.enter(TaskPhase.RETRY_BACKOFF);
        try {
            CrashPoint.reach("chunk.backing-off");
            if (context.stopToken().await(wait)) {
                throw new StoppedInChunk();
            }
        } finally {
            context.task.enter(before);
        }
    }

    /** Skips the item, or throws its failure, or that it is one too many. */
    void skip(SkipPhase phase, @Nullable Object item, Exception failure, ChunkTally tally) throws Exception {
        checkStop(failure);
        if (!maySkip(phase, failure)) {
            throw failure;
        }
        if (!budget.tryTake()) {
            throw new SkipLimitExceeded(step.skip().limit(), failure);
        }
        tally.skipped(phase);
        log(phase, item, failure);
        Listeners.tell(
                step.chunkListeners(),
                "onSkip",
                context.diagnostics,
                (ChunkListener listener) -> listener.onSkip(context, phase, item, failure));
    }

    /** A chunk that is rolled back and done again logs its skips again. */
    private void log(SkipPhase phase, @Nullable Object item, Exception failure) {
        int number = logged.incrementAndGet();
        if (number > MOST_LOGGED) {
            return;
        }
        var place = item instanceof Located located ? " of " + located.place() : "";
        context.diagnostics.skipped(phase.name().toLowerCase(Locale.ROOT) + " skip" + place, failure);
        if (number == MOST_LOGGED) {
            LOG.warn("step {}: further skips of this attempt are counted and not logged", step.name());
        }
    }

    void giveBack(ChunkTally tally) {
        budget.giveBack(tally.skipped());
    }
}
