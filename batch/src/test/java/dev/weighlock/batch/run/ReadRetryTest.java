package dev.weighlock.batch.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.StepCounts;
import dev.weighlock.batch.chunk.Backoff;
import dev.weighlock.batch.chunk.Delivery;
import dev.weighlock.batch.chunk.ItemReader;
import dev.weighlock.batch.chunk.RetryPolicy;
import dev.weighlock.batch.chunk.SkipPolicy;
import dev.weighlock.batch.flow.ChunkStep;
import dev.weighlock.batch.flow.Job;
import dev.weighlock.batch.testing.MemoryTarget;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A reader that still stands before the item that it failed to read. */
class ReadRetryTest {
    private static final int ITEMS = 6;

    private final TestNode node = new TestNode();
    private final MemoryTarget target = new MemoryTarget();

    @AfterEach
    void close() {
        node.close();
        assertThat(target.openTransactions()).isZero();
    }

    private static final class Connection implements ItemReader<Long> {
        private final int failures;
        private long read;
        private int failed;

        Connection(int failures) {
            this.failures = failures;
        }

        @Override
        public @Nullable Long read() throws IOException {
            if (read == 3 && failed < failures) {
                failed++;
                throw new IOException("the connection was reset");
            }
            return read == ITEMS ? null : ++read;
        }

        @Override
        public boolean canReadAgain(Exception failure) {
            return failure instanceof IOException;
        }
    }

    private Job job(int failures) {
        return Job.named("reading")
                .step(ChunkStep.<Long>copying("copy", step -> new Connection(failures), Items.toTarget(number -> {}))
                        .delivery(Delivery.withTarget(context -> target))
                        .retry(RetryPolicy.of(2, Backoff.NONE))
                        .skip(SkipPolicy.of(10))
                        .build())
                .build();
    }

    @Test
    void read_thatSucceedsInTime_losesAndSkipsNothing() throws Exception {
        var ended = node.run(job(2), BatchStatus.COMPLETED);

        assertThat(target.rows()).containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
        assertThat(node.step(ended, "copy").counts()).isEqualTo(new StepCounts(6, 6, 6, 0, 0, 0, 0, 1, 0));
    }

    @Test
    void read_whoseRetriesAreUsedUp_failsBecauseThereIsNothingToSkip() throws Exception {
        var ended = node.run(job(3), BatchStatus.FAILED);

        assertThat(target.rows()).isEmpty();
        assertThat(ended.diagnostics().orElseThrow()).contains("the connection was reset");
        assertThat(node.step(ended, "copy").counts().skipped()).isZero();
    }
}
