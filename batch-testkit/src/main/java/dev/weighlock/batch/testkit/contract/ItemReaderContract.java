package dev.weighlock.batch.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.ExecutionContext;
import dev.weighlock.batch.chunk.ChunkContext;
import dev.weighlock.batch.chunk.Delivery;
import dev.weighlock.batch.chunk.ItemReader;
import dev.weighlock.batch.chunk.ItemWriter;
import dev.weighlock.batch.flow.ChunkStep;
import dev.weighlock.batch.flow.Job;
import dev.weighlock.batch.step.StepContext;
import dev.weighlock.batch.testing.MemoryTarget;
import dev.weighlock.batch.testkit.JobTester;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What every reader with a position must do: however often its step fails and restarts, each item is read once, in
 * order. A reader's test extends this and gives {@value #ITEMS} items.
 *
 * @param <T> what the reader reads
 */
public abstract class ItemReaderContract<T> {
    protected static final int ITEMS = 25;

    private static final long[] FAILURES = {5, 10, 15, 20};

    private final JobTester tester = new JobTester();
    private final MemoryTarget target = new MemoryTarget();
    private final List<Long> failures = new ArrayList<>();

    /** A new reader of the items numbered 1 to {@value #ITEMS}; the data are the same at each call of one test. */
    protected abstract ItemReader<? extends T> reader(StepContext context) throws Exception;

    /** The number of an item. */
    protected abstract long number(T item);

    @AfterEach
    void close() {
        tester.close();
        assertThat(target.openTransactions()).isZero();
    }

    private void failOnce(long number) {
        if (failures.remove((Long) number)) {
            throw new IllegalStateException("item " + number + " fails");
        }
    }

    /** Fails before it reads an item that is to fail. */
    private final class FailingReader implements ItemReader<T> {
        private final ItemReader<? extends T> reader;
        private @Nullable Long next;

        FailingReader(ItemReader<? extends T> reader) {
            this.reader = reader;
        }

        @Override
        public void open(ExecutionContext context, StepContext step) throws Exception {
            reader.open(context, step);
        }

        @Override
        public @Nullable T read() throws Exception {
            if (next != null) {
                failOnce(next);
            }
            T item = reader.read();
            next = item == null ? null : number(item) + 1;
            return item;
        }

        @Override
        public ExecutionContext update(ExecutionContext context) throws Exception {
            return reader.update(context);
        }

        @Override
        public void close() throws Exception {
            reader.close();
        }
    }

    private ItemWriter<T> writer(boolean failing) {
        return (List<T> items, ChunkContext chunk) -> {
            for (var item : items) {
                if (failing) {
                    failOnce(number(item));
                }
                chunk.transaction(MemoryTarget.Rows.class).add(number(item));
            }
        };
    }

    private Job job(int size, boolean readingFails, boolean readAhead) {
        var step = ChunkStep.<T>copying(
                        "copy",
                        context -> readingFails ? new FailingReader(reader(context)) : reader(context),
                        context -> writer(!readingFails))
                .delivery(Delivery.withTarget(context -> target))
                .size(size)
                .readAhead(readAhead)
                .build();
        return Job.named("copying").step(step).build();
    }

    private static List<Object> numbers(long last) {
        return LongStream.rangeClosed(1, last).<Object>mapToObj(Long::valueOf).toList();
    }

    private void runFailing(Job job) {
        LongStream.of(FAILURES).forEach(failures::add);
        for (int attempt = 1; attempt <= FAILURES.length; attempt++) {
            assertThat(tester.run(job).status()).isEqualTo(BatchStatus.FAILED);
        }
        assertThat(tester.run(job).status()).isEqualTo(BatchStatus.COMPLETED);
        assertThat(failures).isEmpty();
    }

    @Test
    void items_inOneRun_areReadOnceInOrder() {
        assertThat(tester.run(job(10, false, false)).status()).isEqualTo(BatchStatus.COMPLETED);

        assertThat(target.rows()).isEqualTo(numbers(ITEMS));
    }

    @ParameterizedTest
    @CsvSource({"1, false", "3, false", "3, true", "7, false", "30, false"})
    void writeFailures_overSuccessiveAttempts_everyItemIsWrittenOnce(int size, boolean readAhead) {
        runFailing(job(size, false, readAhead));

        assertThat(target.rows()).isEqualTo(numbers(ITEMS));
    }

    @ParameterizedTest
    @CsvSource({"1, false", "3, false", "3, true", "4, false", "30, false"})
    void readFailures_overSuccessiveAttempts_everyItemIsWrittenOnce(int size, boolean readAhead) {
        // A chunk of 30 never commits, so each attempt begins at the first item and passes those that failed before.
        runFailing(job(size, true, readAhead));

        assertThat(target.rows()).isEqualTo(numbers(ITEMS));
    }

    @Test
    void failureAtFifteen_withChunksOfTen_restartsBehindTheCommittedTen() {
        failures.add(15L);
        var job = job(10, true, false);

        assertThat(tester.run(job).status()).isEqualTo(BatchStatus.FAILED);
        assertThat(target.rows()).isEqualTo(numbers(10));
        assertThat(tester.run(job).status()).isEqualTo(BatchStatus.COMPLETED);

        assertThat(target.rows()).isEqualTo(numbers(ITEMS));
    }
}
