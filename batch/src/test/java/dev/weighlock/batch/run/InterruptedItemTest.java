package dev.weighlock.batch.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.ExecutionContext;
import dev.weighlock.batch.chunk.Backoff;
import dev.weighlock.batch.chunk.Delivery;
import dev.weighlock.batch.chunk.ItemReader;
import dev.weighlock.batch.chunk.RetryPolicy;
import dev.weighlock.batch.chunk.SkipPhase;
import dev.weighlock.batch.chunk.SkipPolicy;
import dev.weighlock.batch.flow.ChunkStep;
import dev.weighlock.batch.flow.Job;
import dev.weighlock.batch.step.StepContext;
import dev.weighlock.batch.testing.MemoryTarget;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An interrupt tells a thread to end; it says nothing of the item in whose turn it came. */
class InterruptedItemTest {
    private static final long ITEMS = 6;

    private final TestNode node = new TestNode();
    private final MemoryTarget target = new MemoryTarget();
    private final AtomicBoolean interrupted = new AtomicBoolean();

    @AfterEach
    void close() {
        node.close();
        assertThat(target.openTransactions()).isZero();
    }

    /** Gives 1 to {@link #ITEMS}, the interrupted one again when asked to. */
    private final class Numbers implements ItemReader<Long> {
        private final SkipPhase phase;
        private final boolean again;
        private long read;

        Numbers(SkipPhase phase, boolean again) {
            this.phase = phase;
            this.again = again;
        }

        @Override
        public void open(ExecutionContext context, StepContext step) {
            read = context.longValue("read", 0);
        }

        @Override
        public @Nullable Long read() throws InterruptedException {
            if (read == ITEMS) {
                return null;
            }
            interruptOnce(phase == SkipPhase.READ, read + 1);
            return ++read;
        }

        @Override
        public boolean canReadAgain(Exception failure) {
            return again;
        }

        @Override
        public ExecutionContext update(ExecutionContext context) {
            return context.with("read", read);
        }
    }

    private void interruptOnce(boolean here, long number) throws InterruptedException {
        if (here && number == 3 && !interrupted.getAndSet(true)) {
            throw new InterruptedException("in the turn of " + number);
        }
    }

    @ParameterizedTest
    @CsvSource({"READ, false", "READ, true", "PROCESS, false", "WRITE, false"})
    void item_inWhoseTurnTheThreadIsInterrupted_isNeitherSkippedNorTriedAgain(SkipPhase phase, boolean again)
            throws Exception {
        var step = ChunkStep.<Long, Long>processing(
                        "copy",
                        context -> new Numbers(phase, again),
                        context -> item -> {
                            interruptOnce(phase == SkipPhase.PROCESS, item);
                            return item;
                        },
                        context -> (items, chunk) -> {
                            for (var item : items) {
                                interruptOnce(phase == SkipPhase.WRITE, item);
                                chunk.transaction(MemoryTarget.Rows.class).add(item);
                            }
                        })
                .delivery(Delivery.withTarget(context -> target))
                .retry(RetryPolicy.of(2, Backoff.NONE))
                .skip(SkipPolicy.of(10));
        var job = Job.named("interrupted").step(step.build()).build();

        var failed = node.run(job, BatchStatus.FAILED);

        assertThat(failed.diagnostics().orElseThrow()).contains("in the turn of 3");
        assertThat(node.step(failed, "copy").counts().skipped()).isZero();
        assertThat(target.rows()).isEmpty();
        node.run(job, BatchStatus.COMPLETED);
        assertThat(target.rows()).containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
    }
}
