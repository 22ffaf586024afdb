package dev.weighlock.batch.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.chunk.Delivery;
import dev.weighlock.batch.chunk.InFlight;
import dev.weighlock.batch.flow.ChunkStep;
import dev.weighlock.batch.flow.Job;
import dev.weighlock.batch.flow.TaskletStep;
import dev.weighlock.batch.partition.OnFailure;
import dev.weighlock.batch.partition.Partitioning;
import dev.weighlock.batch.tasklet.TaskletOutcome;
import dev.weighlock.batch.testing.MemoryTarget;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Stops a job with every kind of step at random moments until it is complete. */
class RandomStopTest {
    private static final int ITEMS = 60;
    private static final int PARTITIONS = 12;

    @Test
    void fiftyRounds_ofStopAndRestart_loseAndRepeatNothing() throws Exception {
        rounds(50, 4711);
    }

    @Test
    @Tag("long")
    void thousandRounds_ofStopAndRestart_loseAndRepeatNothing() throws Exception {
        rounds(1000, System.nanoTime());
    }

    private static void rounds(int rounds, long seed) throws Exception {
        var random = new Random(seed);
        for (int round = 0; round < rounds; round++) {
            try (var node = new TestNode()) {
                new Round(node, random, "seed " + seed + ", round " + round).play();
            }
        }
    }

    private static final class Round {
        private final TestNode node;
        private final Random random;
        private final String label;
        private final MemoryTarget target = new MemoryTarget();
        private final Map<String, Integer> completions = new ConcurrentHashMap<>();

        Round(TestNode node, Random random, String label) {
            this.node = node;
            this.random = random;
            this.label = label;
        }

        void play() throws Exception {
            var job = job();
            for (int attempt = 1; attempt <= 200; attempt++) {
                var run = node.launch(job);
                // Nothing depends on the moment; it only shall differ from attempt to attempt.
                LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(random.nextInt(Math.min(3000, 100 * attempt))));
                if (random.nextBoolean()) {
                    node.runtime.operator().stop(run.executionId(), "random");
                } else {
                    run.stop();
                }
                var ended = TestNode.ended(run);
                assertThat(ended.status())
                        .as("%s, attempt %s, %s", label, attempt, ended.diagnostics())
                        .isIn(BatchStatus.STOPPED, BatchStatus.COMPLETED);
                if (ended.status() == BatchStatus.COMPLETED) {
                    break;
                }
                checkSteps(ended.id());
            }
            node.repository
                    .lastExecution(node.repository
                            .instance(job.name(), dev.weighlock.batch.JobParameters.NONE.identity())
                            .orElseThrow()
                            .id())
                    .filter(last -> last.status() == BatchStatus.STOPPED)
                    .ifPresent(last -> finish(job));
            check();
        }

        private void finish(Job job) {
            try {
                node.run(job, BatchStatus.COMPLETED);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        private void checkSteps(long executionId) {
            for (var step : node.repository.steps(executionId)) {
                assertThat(step.status()).as(label).isIn(BatchStatus.STOPPED, BatchStatus.COMPLETED);
                assertThat(step.counts().isBalanced()).as(label).isTrue();
            }
        }

        private void check() {
            var rows = new ArrayList<Long>();
            target.rows().forEach(row -> rows.add((Long) row));
            Collections.sort(rows);
            var expected = new ArrayList<Long>();
            for (long i = 1; i <= ITEMS; i++) {
                expected.addAll(Collections.nCopies(1 + PARTITIONS, i));
            }
            assertThat(rows).as(label).isEqualTo(expected);
            assertThat(completions.values()).as(label).containsOnly(1);
            assertThat(completions).as(label).hasSize(PARTITIONS + 4);
            assertThat(target.openTransactions()).as(label).isZero();
        }

        private Job job() {
            return Job.named("random")
                    .step(body("first"))
                    .step(copy("copy", InFlight.FINISH_CHUNK)
                            .readAhead(random.nextBoolean())
                            .build())
                    .step(TaskletStep.named(
                                    "parts",
                                    context -> complete("part "
                                            + context.partition().orElseThrow().key()))
                            .partitioned(partitioning())
                            .build())
                    .step(copy("copies", InFlight.ROLLBACK_CHUNK)
                            .partitioned(partitioning())
                            .build())
                    .split("split", List.of(List.of(body("left")), List.of(body("right"))), "last", 2, OnFailure.CANCEL)
                    .step(body("last"))
                    .build();
        }

        private Partitioning partitioning() {
            return Partitioning.keys(IntStream.range(0, PARTITIONS)
                            .mapToObj(i -> "k" + i)
                            .toList())
                    .withWorkers(3);
        }

        private ChunkStep.Builder<Long, Long> copy(String name, InFlight policy) {
            return ChunkStep.<Long>copying(name, Items.upTo(ITEMS), Items.toTarget(number -> {}))
                    .delivery(Delivery.withTarget(context -> target))
                    .size(7)
                    .inFlight(policy);
        }

        private TaskletStep body(String name) {
            return TaskletStep.of(name, context -> complete(name));
        }

        private TaskletOutcome complete(String name) {
            completions.merge(name, 1, Integer::sum);
            return TaskletOutcome.COMPLETED;
        }
    }
}
