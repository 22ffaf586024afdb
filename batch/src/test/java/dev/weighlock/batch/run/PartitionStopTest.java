package dev.weighlock.batch.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.ExecutionContext;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.PartitionStatus;
import dev.weighlock.batch.flow.Job;
import dev.weighlock.batch.flow.TaskletStep;
import dev.weighlock.batch.partition.Partitioning;
import dev.weighlock.batch.repository.PlannedPartition;
import dev.weighlock.batch.tasklet.Tasklet;
import dev.weighlock.batch.tasklet.TaskletOutcome;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A stop, or a stop and a failure, while partitions are done, running and not begun; and stored plans. */
class PartitionStopTest {
    private final TestNode node = new TestNode();
    private final ConcurrentLinkedQueue<String> ran = new ConcurrentLinkedQueue<>();

    @AfterEach
    void close() {
        node.close();
    }

    private static List<String> keys(int count) {
        return IntStream.range(0, count).mapToObj(i -> "k" + i).toList();
    }

    private static Job job(Tasklet tasklet, Partitioning by) {
        return Job.named("parts")
                .step(TaskletStep.named("p", tasklet).partitioned(by).build())
                .build();
    }

    private Map<PartitionStatus, Integer> statuses(JobExecution execution) {
        Map<PartitionStatus, Integer> counts = new TreeMap<>();
        node.repository
                .partitions(node.step(execution, "p").id(), Optional.empty(), 1_000)
                .items()
                .forEach(partition -> counts.merge(partition.status(), 1, Integer::sum));
        return counts;
    }

    /** The first two complete; then as many wait for the stop as there are workers. */
    private Tasklet waiting(CountDownLatch inside, Runnable afterStop) {
        return context -> {
            var scope = context.partition().orElseThrow();
            ran.add(scope.key());
            if (scope.ordinal() < 2 || context.jobAttempt() > 1) {
                return TaskletOutcome.COMPLETED;
            }
            inside.countDown();
            assertThat(context.stopToken().await(TestNode.LONG)).isTrue();
            if (scope.ordinal() == 2) {
                afterStop.run();
            }
            return TaskletOutcome.STOPPED;
        };
    }

    @Test
    void stop_withDoneRunningAndNotBegun_endsEachAsItWas() throws Exception {
        var inside = new CountDownLatch(3);
        var by = Partitioning.keys(keys(100)).withWorkers(3);
        var job = job(waiting(inside, () -> {}), by);
        var run = node.launch(job);
        inside.await();

        node.runtime.operator().stop(run.executionId(), "test");
        var stopped = TestNode.ended(run);

        assertThat(stopped.status()).isEqualTo(BatchStatus.STOPPED);
        assertThat(statuses(stopped)).isEqualTo(Map.of(PartitionStatus.COMPLETED, 2, PartitionStatus.STOPPED, 98));
        assertThat(ran).hasSize(5);
        ran.clear();
        node.run(job, BatchStatus.COMPLETED);
        assertThat(ran).hasSize(98).doesNotContain("k0", "k1");
    }

    @Test
    void stop_withADeafWorker_waitsForItAndKeepsWhatItCompleted() throws Exception {
        var inside = new CountDownLatch(1);
        var fired = new CountDownLatch(1);
        var release = new CountDownLatch(1);
        Tasklet tasklet = context -> {
            var scope = context.partition().orElseThrow();
            ran.add(scope.key());
            if (scope.ordinal() == 0) {
                context.stopToken().onStop(fired::countDown);
                inside.countDown();
                release.await();
                return TaskletOutcome.COMPLETED;
            }
            assertThat(context.stopToken().await(TestNode.LONG)).isTrue();
            return TaskletOutcome.STOPPED;
        };
        var run = node.launch(job(tasklet, Partitioning.keys(keys(20)).withWorkers(2)));
        inside.await();

        node.runtime.operator().stop(run.executionId(), "test");
        // Only now the deaf worker begins no other partition: that STOPPING is stored does not mean it has heard.
        fired.await();
        release.countDown();
        var stopped = TestNode.ended(run);

        assertThat(stopped.status()).isEqualTo(BatchStatus.STOPPED);
        assertThat(statuses(stopped)).isEqualTo(Map.of(PartitionStatus.COMPLETED, 1, PartitionStatus.STOPPED, 19));
        assertThat(ran).hasSizeLessThanOrEqualTo(2);
    }

    @Test
    void stop_withAFailureAtTheSameMoment_isFailedAndNothingStaysStarted() throws Exception {
        var inside = new CountDownLatch(3);
        var by = Partitioning.keys(keys(50)).withWorkers(3);
        var job = job(
                waiting(inside, () -> {
                    throw new IllegalStateException("failed while stopping");
                }),
                by);
        var run = node.launch(job);
        inside.await();

        node.runtime.operator().stop(run.executionId(), "test");
        var ended = TestNode.ended(run);

        assertThat(ended.status()).isEqualTo(BatchStatus.FAILED);
        assertThat(node.step(ended, "p").status()).isEqualTo(BatchStatus.FAILED);
        assertThat(statuses(ended))
                .isEqualTo(
                        Map.of(PartitionStatus.COMPLETED, 2, PartitionStatus.FAILED, 1, PartitionStatus.STOPPED, 47));
        assertThat(ended.diagnostics().orElseThrow()).contains("failed while stopping");
        ran.clear();
        node.run(job, BatchStatus.COMPLETED);
        assertThat(ran).hasSize(48);
    }

    @Test
    void stop_whileThePlanIsMade_isStoppedAndPlansAgain() throws Exception {
        var inside = new CountDownLatch(1);
        var first = new AtomicBoolean(true);
        var by = Partitioning.by("1", context -> {
            if (first.getAndSet(false)) {
                inside.countDown();
                assertThat(context.stopToken().await(TestNode.LONG)).isTrue();
                throw new InterruptedException("stopped while planning");
            }
            return List.of(new PlannedPartition("only", ExecutionContext.EMPTY));
        });
        var job = job(
                context -> {
                    ran.add(context.partition().orElseThrow().key());
                    return TaskletOutcome.COMPLETED;
                },
                by);
        var run = node.launch(job);
        inside.await();

        node.runtime.operator().stop(run.executionId(), "test");
        var stopped = TestNode.ended(run);

        assertThat(stopped.status()).isEqualTo(BatchStatus.STOPPED);
        assertThat(node.step(stopped, "p").status()).isEqualTo(BatchStatus.STOPPED);
        assertThat(ran).isEmpty();
        node.run(job, BatchStatus.COMPLETED);
        assertThat(ran).containsExactly("only");
    }

    @Test
    void plan_madeOnce_staysWhatItWasThoughDataAndWorkersChange() throws Exception {
        var rows = new AtomicInteger(4);
        var broken = new AtomicBoolean(true);
        Tasklet tasklet = context -> {
            var key = context.partition().orElseThrow().key();
            if (broken.get() && key.equals("k2")) {
                throw new IllegalStateException("broken");
            }
            ran.add(key);
            return TaskletOutcome.COMPLETED;
        };
        var by = Partitioning.by(
                        "1",
                        context -> keys(rows.get()).stream()
                                .map(key -> new PlannedPartition(key, ExecutionContext.EMPTY))
                                .toList())
                .withWorkers(1);
        var failed = node.run(job(tasklet, by), BatchStatus.FAILED);
        assertThat(statuses(failed).values().stream()
                        .mapToInt(Integer::intValue)
                        .sum())
                .isEqualTo(4);
        rows.set(9);
        broken.set(false);

        var ended = node.run(job(tasklet, by.withWorkers(16)), BatchStatus.COMPLETED);

        assertThat(statuses(ended)).isEqualTo(Map.of(PartitionStatus.COMPLETED, 4));
        assertThat(ran).containsExactlyInAnyOrder("k0", "k1", "k2", "k3");
    }

    @Test
    void keys_withSlashesUmlautsAndCaseOnlyDifferences_areKeptApart() throws Exception {
        var keys = List.of("eu/west", "käse", "KÄSE", "Eu/West", "a b", "';--", "\u00e9", "e\u0301");
        var job = job(
                context -> {
                    ran.add(context.partition().orElseThrow().key());
                    return TaskletOutcome.COMPLETED;
                },
                Partitioning.keys(keys).withWorkers(2));

        node.run(job, BatchStatus.COMPLETED);

        assertThat(ran).containsExactlyInAnyOrderElementsOf(keys);
    }
}
