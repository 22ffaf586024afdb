package dev.weighlock.batch.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.FailureCategory;
import dev.weighlock.batch.StepCounts;
import dev.weighlock.batch.StepExecution;
import dev.weighlock.batch.chunk.Backoff;
import dev.weighlock.batch.chunk.ChunkListener;
import dev.weighlock.batch.chunk.Delivery;
import dev.weighlock.batch.chunk.RetryPolicy;
import dev.weighlock.batch.chunk.SkipPhase;
import dev.weighlock.batch.chunk.SkipPolicy;
import dev.weighlock.batch.flow.ChunkStep;
import dev.weighlock.batch.flow.Job;
import dev.weighlock.batch.step.StepContext;
import dev.weighlock.batch.testing.MemoryTarget;
import dev.weighlock.batch.testing.MemoryTarget.LostAnswer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ChunkStepTest {
    private final TestNode node = new TestNode();
    private final MemoryTarget target = new MemoryTarget();

    @AfterEach
    void close() {
        node.close();
        assertThat(target.openTransactions()).isZero();
    }

    private ChunkStep.Builder<Long, Long> copying(long items) {
        return ChunkStep.<Long>copying("copy", Items.upTo(items), Items.toTarget(number -> {}))
                .delivery(Delivery.withTarget(step -> target));
    }

    private static Job job(ChunkStep.Builder<?, ?> step) {
        return Job.named("chunks").step(step.build()).build();
    }

    private static List<Object> numbers(long count) {
        return LongStream.rangeClosed(1, count).<Object>mapToObj(Long::valueOf).toList();
    }

    private StepExecution onlyStep() {
        var job = node.repository.executions(java.util.Optional.empty(), java.util.Optional.empty(), 1);
        return node.step(job.items().getFirst(), "copy");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 10, 25, 26})
    void items_allGood_areWrittenOnceInOrder(int size) throws Exception {
        node.run(job(copying(25).size(size)), BatchStatus.COMPLETED);

        assertThat(target.rows()).isEqualTo(numbers(25));
        assertThat(onlyStep().counts()).isEqualTo(new StepCounts(25, 25, 25, 0, 0, 0, 0, (25 + size - 1) / size, 0));
    }

    @Test
    void items_none_completeWithoutCommit() throws Exception {
        node.run(job(copying(0)), BatchStatus.COMPLETED);

        assertThat(onlyStep().counts()).isEqualTo(StepCounts.ZERO);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void readFailure_atFifteen_restartsAfterTheCommittedTen(boolean ahead) throws Exception {
        var bad = new ArrayList<>(List.of(15L));
        var reader = Items.upTo(25, number -> failOnce(bad, number));
        var step = ChunkStep.<Long>copying("copy", reader, Items.toTarget(number -> {}))
                .delivery(Delivery.withTarget(context -> target))
                .size(10)
                .readAhead(ahead);

        node.run(job(step), BatchStatus.FAILED);
        assertThat(target.rows()).isEqualTo(numbers(10));
        assertThat(onlyStep().counts()).isEqualTo(new StepCounts(10, 10, 10, 0, 0, 0, 0, 1, 1));
        node.run(job(step), BatchStatus.COMPLETED);

        assertThat(target.rows()).isEqualTo(numbers(25));
        assertThat(onlyStep().counts().written()).isEqualTo(15);
    }

    private static void failOnce(List<Long> bad, long number) {
        if (bad.remove((Long) number)) {
            throw new IllegalStateException("bad " + number);
        }
    }

    @Test
    void writeFailures_overFiveAttempts_everyItemIsWrittenOnce() throws Exception {
        var bad = new ArrayList<>(List.of(5L, 10L, 15L, 20L));
        var step = ChunkStep.<Long>copying("copy", Items.upTo(25), Items.toTarget(number -> failOnce(bad, number)))
                .delivery(Delivery.withTarget(context -> target))
                .size(4);

        for (int attempt = 1; attempt <= 4; attempt++) {
            node.run(job(step), BatchStatus.FAILED);
        }
        node.run(job(step), BatchStatus.COMPLETED);

        assertThat(target.rows()).isEqualTo(numbers(25));
    }

    private ChunkStep.Builder<Long, Long> writing(long items, Set<Long> badInWriting) {
        return ChunkStep.<Long>copying("copy", Items.upTo(items), Items.toTarget(number -> {
                    if (badInWriting.contains(number)) {
                        throw new IllegalStateException("bad " + number);
                    }
                }))
                .delivery(Delivery.withTarget(context -> target));
    }

    @Test
    void writeSkips_twoBadOfFour_goodOnesAreWrittenOnce() throws Exception {
        node.run(job(writing(4, Set.of(2L, 3L)).skip(SkipPolicy.of(2)).size(4)), BatchStatus.COMPLETED);

        assertThat(target.rows()).containsExactly(1L, 4L);
        assertThat(onlyStep().counts()).isEqualTo(new StepCounts(4, 4, 2, 0, 0, 0, 2, 1, 3));
    }

    @Test
    void writeSkips_allBad_commitAnEmptyChunk() throws Exception {
        node.run(job(writing(3, Set.of(1L, 2L, 3L)).skip(SkipPolicy.of(3)).size(3)), BatchStatus.COMPLETED);

        assertThat(target.rows()).isEmpty();
        assertThat(onlyStep().counts().writeSkips()).isEqualTo(3);
    }

    @Test
    void writeSkips_chunkOfOne_skipsTheItem() throws Exception {
        node.run(job(writing(3, Set.of(2L)).skip(SkipPolicy.of(1)).size(1)), BatchStatus.COMPLETED);

        assertThat(target.rows()).containsExactly(1L, 3L);
    }

    @Test
    void skipLimit_exceeded_failsAndRestartStillCountsTheSkipped() throws Exception {
        var step = writing(6, Set.of(2L, 4L, 6L)).skip(SkipPolicy.of(2)).size(1);

        var failed = node.run(job(step), BatchStatus.FAILED);
        assertThat(failed.failure().orElseThrow().category()).isEqualTo(FailureCategory.SKIP_LIMIT_EXCEEDED);
        node.run(job(step), BatchStatus.FAILED);

        assertThat(target.rows()).containsExactly(1L, 3L, 5L);
    }

    @Test
    void writeFailure_notSkippable_failsTheStep() throws Exception {
        var step = writing(4, Set.of(2L))
                .skip(SkipPolicy.of(9, SkipPhase.READ, SkipPhase.PROCESS))
                .size(4);

        node.run(job(step), BatchStatus.FAILED);

        assertThat(target.rows()).isEmpty();
    }

    @Test
    void processAndWriteErrors_inOneChunk_bothAreSkipped() throws Exception {
        var step = ChunkStep.<Long, Long>processing(
                        "copy",
                        Items.upTo(6),
                        context -> item -> {
                            if (item == 2) {
                                throw new IllegalStateException("bad in processing");
                            }
                            return item == 3 ? null : item * 10;
                        },
                        Items.toTarget(number -> {
                            if (number == 50) {
                                throw new IllegalStateException("bad in writing");
                            }
                        }))
                .delivery(Delivery.withTarget(context -> target))
                .skip(SkipPolicy.of(5))
                .size(10);

        node.run(job(step), BatchStatus.COMPLETED);

        assertThat(target.rows()).containsExactly(10L, 40L, 60L);
        assertThat(onlyStep().counts()).isEqualTo(new StepCounts(6, 5, 3, 1, 0, 1, 1, 1, 2));
    }

    /** Each skip is told once, whatever the writer is called with while the bad item is looked for. */
    @Test
    void skips_ofEveryPhase_areToldOnceEach() throws Exception {
        var told = new ArrayList<String>();
        var written = new ArrayList<List<Long>>();
        var reader = Items.upTo(8, number -> {
            if (number == 2) {
                throw new IllegalStateException("bad in reading");
            }
        });
        var step = ChunkStep.<Long, Long>processing(
                        "copy",
                        reader,
                        context -> item -> {
                            if (item == 3) {
                                throw new IllegalStateException("bad in processing");
                            }
                            return item;
                        },
                        context -> (items, chunk) -> {
                            written.add(List.copyOf(items));
                            for (var item : items) {
                                if (item == 5 || item == 6) {
                                    throw new IllegalStateException("bad in writing");
                                }
                                chunk.transaction(MemoryTarget.Rows.class).add(item);
                            }
                        })
                .delivery(Delivery.withTarget(context -> target))
                .skip(SkipPolicy.of(4))
                .size(7)
                .chunkListener(new ChunkListener() {
                    @Override
                    public void onSkip(StepContext context, SkipPhase phase, @Nullable Object item, Throwable failure) {
                        told.add(phase + " " + item);
                    }
                });

        node.run(job(step), BatchStatus.COMPLETED);

        assertThat(told).containsExactly("READ null", "PROCESS 3", "WRITE 5", "WRITE 6");
        assertThat(target.rows()).containsExactly(1L, 4L, 7L, 8L);
        // Whole; then one by one up to the first bad one; the good ones before it at once, and so on.
        assertThat(written)
                .containsExactly(
                        List.of(1L, 4L, 5L, 6L, 7L, 8L),
                        List.of(1L),
                        List.of(4L),
                        List.of(5L),
                        List.of(1L, 4L),
                        List.of(6L),
                        List.of(1L, 4L),
                        List.of(7L),
                        List.of(8L));
        assertThat(onlyStep().counts()).isEqualTo(new StepCounts(8, 6, 4, 0, 1, 1, 2, 1, 3));
    }

    @Test
    void readError_midChunk_isSkippedAndDoesNotEndTheChunk() throws Exception {
        var reader = Items.upTo(10, number -> {
            if (number % 4 == 0) {
                throw new IllegalStateException("unreadable " + number);
            }
        });
        var step = ChunkStep.<Long>copying("copy", reader, Items.toTarget(number -> {}))
                .delivery(Delivery.withTarget(context -> target))
                .skip(SkipPolicy.of(2, SkipPhase.READ))
                .size(8);

        node.run(job(step), BatchStatus.COMPLETED);

        assertThat(target.rows()).containsExactly(1L, 2L, 3L, 5L, 6L, 7L, 9L, 10L);
        assertThat(onlyStep().counts()).isEqualTo(new StepCounts(10, 8, 8, 0, 2, 0, 0, 1, 0));
    }

    @Test
    void retry_succeedsInTime_writesOnce() throws Exception {
        var tries = new AtomicInteger();
        var step = ChunkStep.<Long>copying("copy", Items.upTo(4), Items.toTarget(number -> {
                    if (number == 3 && tries.incrementAndGet() < 3) {
                        throw new IllegalStateException("not yet");
                    }
                }))
                .delivery(Delivery.withTarget(context -> target))
                .retry(RetryPolicy.of(2, Backoff.NONE));

        node.run(job(step), BatchStatus.COMPLETED);

        assertThat(target.rows()).isEqualTo(numbers(4));
        assertThat(onlyStep().counts().rollbacks()).isEqualTo(2);
    }

    @Test
    void retry_usedUpWithoutSkip_fails() throws Exception {
        var tries = new AtomicInteger();
        var step = ChunkStep.<Long, Long>processing(
                        "copy",
                        Items.upTo(2),
                        context -> item -> {
                            tries.incrementAndGet();
                            throw new IllegalStateException("never");
                        },
                        Items.toTarget(number -> {}))
                .delivery(Delivery.withTarget(context -> target))
                .retry(RetryPolicy.of(3, Backoff.NONE));

        node.run(job(step), BatchStatus.FAILED);

        assertThat(tries).hasValue(4);
    }

    @ParameterizedTest
    @EnumSource(
            value = LostAnswer.class,
            names = {"COMMITTED", "NOT_COMMITTED"})
    void lostCommitAnswer_readBack_goesOnFromTheTruth(LostAnswer lost) throws Exception {
        var once = ConcurrentHashMap.<Long>newKeySet();
        var step = ChunkStep.<Long>copying("copy", Items.upTo(9), Items.toTarget(number -> {
                    if (number == 5 && once.add(number)) {
                        target.loseNextAnswer(lost);
                    }
                }))
                .delivery(Delivery.withTarget(context -> target))
                .size(3);

        node.run(job(step), BatchStatus.COMPLETED);

        assertThat(target.rows()).isEqualTo(numbers(9));
        assertThat(onlyStep().counts().written()).isEqualTo(9);
    }

    @Test
    void lostCommitAnswer_thatNobodyCanTell_isUnknown() throws Exception {
        var step = ChunkStep.<Long>copying(
                        "copy", Items.upTo(9), Items.toTarget(number -> target.loseNextAnswer(LostAnswer.UNKNOWABLE)))
                .delivery(Delivery.withTarget(context -> target))
                .size(3);

        var ended = node.run(job(step), BatchStatus.UNKNOWN);

        assertThat(node.step(ended, "copy").status()).isEqualTo(BatchStatus.UNKNOWN);
    }

    @Test
    void targetAhead_ofTheRepository_isBelieved() throws Exception {
        // The repository hears of chunks now and then only; a crash right after a commit leaves it behind.
        var bad = new ArrayList<>(List.of(7L));
        var step = ChunkStep.<Long>copying("copy", Items.upTo(9), Items.toTarget(number -> failOnce(bad, number)))
                .delivery(Delivery.withTarget(context -> target))
                .size(3);
        var run = node.launch(job(step));
        TestNode.ended(run);
        assertThat(target.rows()).isEqualTo(numbers(6));

        node.run(job(step), BatchStatus.COMPLETED);

        assertThat(target.rows()).isEqualTo(numbers(9));
    }

    @Test
    void repeatableStep_runAgainAfterCompletion_beginsAtZero() throws Exception {
        var broken = new java.util.concurrent.atomic.AtomicBoolean(true);
        var job = Job.named("repeat")
                .step(copying(3).allowStartIfComplete(true).build())
                .step(dev.weighlock.batch.flow.TaskletStep.of("after", context -> {
                    if (broken.getAndSet(false)) {
                        throw new IllegalStateException("after");
                    }
                    return dev.weighlock.batch.tasklet.TaskletOutcome.COMPLETED;
                }))
                .build();

        node.run(job, BatchStatus.FAILED);
        node.run(job, BatchStatus.COMPLETED);

        assertThat(target.rows()).containsExactly(1L, 2L, 3L, 1L, 2L, 3L);
    }
}
