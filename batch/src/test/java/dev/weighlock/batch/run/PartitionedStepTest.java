package dev.weighlock.batch.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.ExecutionContext;
import dev.weighlock.batch.ExitStatus;
import dev.weighlock.batch.FailureCategory;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.JobParameters;
import dev.weighlock.batch.PartitionExecution;
import dev.weighlock.batch.PartitionStatus;
import dev.weighlock.batch.StepCounts;
import dev.weighlock.batch.chunk.Delivery;
import dev.weighlock.batch.chunk.SkipPolicy;
import dev.weighlock.batch.flow.ChunkStep;
import dev.weighlock.batch.flow.Job;
import dev.weighlock.batch.flow.TaskletStep;
import dev.weighlock.batch.launch.LaunchResult;
import dev.weighlock.batch.launch.NodeRuntime;
import dev.weighlock.batch.launch.NodeSettings;
import dev.weighlock.batch.partition.OnFailure;
import dev.weighlock.batch.partition.Partitioning;
import dev.weighlock.batch.repository.JobRepository;
import dev.weighlock.batch.repository.PartitionChange;
import dev.weighlock.batch.repository.PlannedPartition;
import dev.weighlock.batch.tasklet.Tasklet;
import dev.weighlock.batch.tasklet.TaskletOutcome;
import dev.weighlock.batch.testing.MemoryTarget;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PartitionedStepTest {
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

    private Tasklet recording() {
        return context -> {
            ran.add(context.partition().orElseThrow().key());
            return TaskletOutcome.COMPLETED;
        };
    }

    private List<PartitionExecution> partitions(JobExecution execution) {
        var step = node.step(execution, "p").id();
        var all = new ArrayList<PartitionExecution>();
        Optional<String> cursor = Optional.empty();
        do {
            var page = node.repository.partitions(step, cursor, 1000);
            all.addAll(page.items());
            cursor = page.next();
        } while (cursor.isPresent());
        return all;
    }

    private long count(JobExecution execution, PartitionStatus status) {
        return partitions(execution).stream()
                .filter(row -> row.status() == status)
                .count();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 64, 1024})
    void partitions_anyNumberOfWorkers_eachRunsOnce(int workers) throws Exception {
        var ended =
                node.run(job(recording(), Partitioning.keys(keys(100)).withWorkers(workers)), BatchStatus.COMPLETED);

        assertThat(ran).containsExactlyInAnyOrderElementsOf(keys(100));
        assertThat(count(ended, PartitionStatus.COMPLETED)).isEqualTo(100);
    }

    @Test
    void partitions_none_completeWithZeroCounts() throws Exception {
        var ended = node.run(job(recording(), Partitioning.keys(List.of())), BatchStatus.COMPLETED);

        assertThat(node.step(ended, "p").counts()).isEqualTo(StepCounts.ZERO);
        assertThat(ran).isEmpty();
    }

    @Test
    void failure_cancelsSiblingsAndRestartRunsOnlyTheUnfinished() throws Exception {
        var broken = new AtomicBoolean(true);
        Tasklet tasklet = context -> {
            var key = context.partition().orElseThrow().key();
            if (key.equals("k5") && broken.get()) {
                throw new IllegalStateException("k5 is broken");
            }
            ran.add(key);
            return TaskletOutcome.COMPLETED;
        };
        var job = job(tasklet, Partitioning.keys(keys(50)).withWorkers(1));

        var failed = node.run(job, BatchStatus.FAILED);
        assertThat(failed.failure().orElseThrow().category()).isEqualTo(FailureCategory.CHILD_FAILED);
        assertThat(count(failed, PartitionStatus.FAILED)).isEqualTo(1);
        assertThat(count(failed, PartitionStatus.COMPLETED)).isEqualTo(5);
        assertThat(count(failed, PartitionStatus.STOPPED)).isEqualTo(44);
        broken.set(false);
        var second = node.run(job, BatchStatus.COMPLETED);

        assertThat(ran).containsExactlyInAnyOrderElementsOf(keys(50));
        assertThat(partitions(second))
                .filteredOn(PartitionExecution::carriedOver)
                .hasSize(5);
    }

    @Test
    void failure_drain_runsAllOthers() throws Exception {
        Tasklet tasklet = context -> {
            ran.add(context.partition().orElseThrow().key());
            if (context.partition().orElseThrow().ordinal() % 10 == 0) {
                throw new IllegalStateException("broken");
            }
            return TaskletOutcome.COMPLETED;
        };
        var by = Partitioning.keys(keys(30)).withWorkers(4).withOnFailure(OnFailure.DRAIN);

        var ended = node.run(job(tasklet, by), BatchStatus.FAILED);

        assertThat(ran).hasSize(30);
        assertThat(count(ended, PartitionStatus.FAILED)).isEqualTo(3);
        assertThat(ended.diagnostics().orElseThrow()).contains("3 of 30");
    }

    @Test
    void stop_plannedOnesNeverRunAndNoneStaysStarted() throws Exception {
        var running = new CountDownLatch(4);
        var outlived = new AtomicInteger();
        Tasklet tasklet = context -> {
            outlived.incrementAndGet();
            ran.add(context.partition().orElseThrow().key());
            running.countDown();
            assertThat(context.stopToken().await(TestNode.LONG)).isTrue();
            outlived.decrementAndGet();
            return TaskletOutcome.STOPPED;
        };
        var run = node.launch(job(tasklet, Partitioning.keys(keys(1000)).withWorkers(4)));
        running.await();

        node.runtime.operator().stop(run.executionId(), "test");
        var ended = TestNode.ended(run);

        assertThat(ended.status()).isEqualTo(BatchStatus.STOPPED);
        assertThat(ran).hasSize(4);
        assertThat(outlived).hasValue(0);
        assertThat(count(ended, PartitionStatus.STOPPED)).isEqualTo(1000);
        assertThat(node.step(ended, "p").status()).isEqualTo(BatchStatus.STOPPED);
    }

    @Test
    void planner_failed_isCalledAgainAndThenNeverAgain() throws Exception {
        var calls = new AtomicInteger();
        var broken = new AtomicBoolean(true);
        var by = Partitioning.by("1", context -> {
            if (calls.incrementAndGet() == 1) {
                throw new IllegalStateException("no plan yet");
            }
            return List.of(new PlannedPartition("only", ExecutionContext.EMPTY.with("n", 7)));
        });
        Tasklet tasklet = context -> {
            assertThat(context.partition().orElseThrow().input().longValue("n", 0))
                    .isEqualTo(7);
            if (broken.getAndSet(false)) {
                throw new IllegalStateException("once");
            }
            return TaskletOutcome.COMPLETED;
        };

        node.run(job(tasklet, by), BatchStatus.FAILED);
        node.run(job(tasklet, by), BatchStatus.FAILED);
        node.run(job(tasklet, by), BatchStatus.COMPLETED);

        assertThat(calls).hasValue(2);
    }

    @Test
    void plan_withTwoEqualKeys_failsBeforeAnyWorker() throws Exception {
        var ended = node.run(job(recording(), Partitioning.keys(List.of("a", "a"))), BatchStatus.FAILED);

        assertThat(ended.diagnostics().orElseThrow()).contains("planned twice");
        assertThat(ran).isEmpty();
    }

    @Test
    void partitionContext_afterFailure_isThereAtTheRestart() throws Exception {
        Tasklet tasklet = context -> {
            long seen = context.context().longValue("seen", 0);
            context.put("seen", seen + 1);
            if (seen < 2) {
                throw new IllegalStateException("again");
            }
            return TaskletOutcome.COMPLETED;
        };
        var job = job(tasklet, Partitioning.keys(List.of("a")));

        node.run(job, BatchStatus.FAILED);
        node.run(job, BatchStatus.FAILED);
        node.run(job, BatchStatus.COMPLETED);
    }

    @Test
    void skipLimit_overPartitions_isOne() throws Exception {
        var target = new MemoryTarget();
        var step = ChunkStep.<Long>copying("p", Items.upTo(10), Items.toTarget(number -> {
                    if (number == 5) {
                        throw new IllegalStateException("bad");
                    }
                }))
                .delivery(Delivery.withTarget(context -> target))
                .size(2)
                .skip(SkipPolicy.of(3))
                .partitioned(Partitioning.keys(keys(4)).withWorkers(1))
                .build();

        var ended = node.run(Job.named("skips").step(step).build(), BatchStatus.FAILED);

        assertThat(count(ended, PartitionStatus.COMPLETED)).isEqualTo(3);
        assertThat(partitions(ended).getLast().failure().orElseThrow().category())
                .isEqualTo(FailureCategory.SKIP_LIMIT_EXCEEDED);
        assertThat(target.rows()).hasSize(3 * 9 + 4);
        assertThat(node.step(ended, "p").counts().isBalanced()).isTrue();
    }

    @Test
    void handler_ofAnotherEngine_finishesWhatItClaimed() throws Exception {
        var by = Partitioning.keys(keys(10)).withWorkers(3).withHandler(work -> {
            for (var batch = work.claim(4); !batch.isEmpty(); batch = work.claim(4)) {
                batch.forEach(claimed -> work.finish(
                        claimed,
                        new PartitionChange(
                                PartitionStatus.COMPLETED,
                                ExitStatus.COMPLETED,
                                StepCounts.ZERO,
                                claimed.context(),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.of("{\"where\":\"elsewhere\"}"))));
            }
        });

        var ended = node.run(job(recording(), by), BatchStatus.COMPLETED);

        assertThat(ran).isEmpty();
        assertThat(node.repository.partitionEvidence(
                        partitions(ended).getFirst().id()))
                .contains("{\"where\":\"elsewhere\"}");
    }

    @Test
    void crashBeforeThePlanOfARepeatedStep_doesNotReachBehindTheAttemptThatCompleted() throws Exception {
        var broken = new AtomicBoolean(true);
        var job = Job.named("parts")
                .step(TaskletStep.named("p", recording())
                        .partitioned(Partitioning.keys(keys(2)).withWorkers(1))
                        .allowStartIfComplete(true)
                        .build())
                .step(TaskletStep.of("after", context -> {
                    if (broken.get()) {
                        throw new IllegalStateException("broken");
                    }
                    return TaskletOutcome.COMPLETED;
                }))
                .build();
        node.run(job, BatchStatus.FAILED);
        // The step begins again and dies before it has a plan.
        var again = node.launchRowOnly(job);
        node.repository.createStep(again, job.flow().steps().getFirst().name(), 10, true);
        node.repository.declareDead(again.ownerNode());
        broken.set(false);

        node.run(job, BatchStatus.COMPLETED);

        assertThat(new ArrayList<>(ran)).containsExactly("k0", "k1", "k0", "k1");
    }

    /** What the runtime asks of the repository while partitions run that are shorter than any poll. */
    @Test
    void workers_askForNothingButClaimsAndOutcomes() throws Exception {
        var asked = new ConcurrentHashMap<String, AtomicInteger>();
        var inside = new AtomicBoolean();
        var looked = new CountDownLatch(1);
        var counting = (JobRepository) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {JobRepository.class}, (proxy, method, arguments) -> {
                    // Whether the node is fit is answered without a look into the database.
                    if (inside.get() && !method.getName().equals("unfit")) {
                        asked.computeIfAbsent(method.getName(), name -> new AtomicInteger())
                                .incrementAndGet();
                    }
                    var answer = method.invoke(node.repository, arguments);
                    if (method.getName().equals("deadExecutions")) {
                        looked.countDown();
                    }
                    return answer;
                });
        Tasklet tasklet = context -> {
            inside.set(true);
            return TaskletOutcome.COMPLETED;
        };
        var settings = new NodeSettings(Duration.ofSeconds(60), Duration.ofHours(1));
        try (var quiet = NodeRuntime.on(counting)
                .settings(settings)
                .progress(event -> {
                    if (event instanceof ProgressEvent.StepEnded) {
                        inside.set(false);
                    }
                })
                .start()) {
            // A node looks for dead owners once when it begins, on a thread of its own.
            looked.await();
            var job = job(tasklet, Partitioning.keys(keys(500)).withWorkers(8));
            var run = ((LaunchResult.Launched) quiet.launcher().launch(job, JobParameters.NONE)).run();
            assertThat(TestNode.ended(run).status()).isEqualTo(BatchStatus.COMPLETED);
        }

        // An outcome a partition, with which others are claimed; the sum once; the end of step and job.
        assertThat(asked.keySet()).containsExactlyInAnyOrder("updateAndClaim", "claim", "totals", "end");
        assertThat(asked.get("updateAndClaim")).hasValue(500);
        assertThat(asked.get("totals")).hasValue(1);
        assertThat(asked.get("end")).hasValue(1);
        assertThat(asked.get("claim")).hasValueLessThan(50);
    }

    @Test
    void crashBetweenStepAndPlan_earlierPlanIsStillFound() throws Exception {
        var broken = new AtomicBoolean(true);
        Tasklet tasklet = context -> {
            if (broken.get() && context.partition().orElseThrow().ordinal() == 1) {
                throw new IllegalStateException("broken");
            }
            ran.add(context.partition().orElseThrow().key());
            return TaskletOutcome.COMPLETED;
        };
        var job = job(tasklet, Partitioning.keys(keys(2)).withWorkers(1));
        node.run(job, BatchStatus.FAILED);
        // An attempt that dies before its plan is copied.
        var again = node.launchRowOnly(job);
        node.repository.createStep(again, job.flow().steps().getFirst().name(), 10, true);
        node.repository.declareDead(again.ownerNode());
        broken.set(false);

        node.run(job, BatchStatus.COMPLETED);

        assertThat(new ArrayList<>(ran)).containsExactly("k0", "k1");
    }
}
