package dev.weighlock.batch.run;

import static dev.weighlock.batch.flow.Transition.on;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.StepExecution;
import dev.weighlock.batch.flow.FlowNode;
import dev.weighlock.batch.flow.Job;
import dev.weighlock.batch.flow.Step;
import dev.weighlock.batch.flow.TaskletStep;
import dev.weighlock.batch.partition.OnFailure;
import dev.weighlock.batch.partition.Partitioning;
import dev.weighlock.batch.tasklet.TaskletOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class SplitTest {
    private final TestNode node = new TestNode();
    private final List<String> calls = new CopyOnWriteArrayList<>();
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

    @AfterEach
    void close() {
        node.close();
    }

    private Step ok(String name) {
        return TaskletStep.of(name, context -> {
            calls.add(name);
            threads.add(Thread.currentThread());
            return TaskletOutcome.COMPLETED;
        });
    }

    private Step failing(String name, AtomicBoolean broken) {
        return TaskletStep.of(name, context -> {
            calls.add(name);
            if (broken.get()) {
                throw new IllegalStateException(name + " is broken");
            }
            return TaskletOutcome.COMPLETED;
        });
    }

    private static FlowNode.SplitNode split(String id, int workers, List<List<FlowNode>> branches) {
        return new FlowNode.SplitNode(id, branches, workers, OnFailure.CANCEL);
    }

    private static List<FlowNode> branch(FlowNode... nodes) {
        return List.of(nodes);
    }

    private FlowNode step(String name) {
        return new FlowNode.StepNode(ok(name));
    }

    private Map<String, BatchStatus> statuses(JobExecution execution) {
        Map<String, BatchStatus> statuses = new TreeMap<>();
        node.repository
                .steps(execution.id())
                .forEach(step -> statuses.put(step.name().value(), step.status()));
        return statuses;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void split_eitherOrderOfBranches_runsAllThenTheJoin(boolean turned) throws Exception {
        var branches = new ArrayList<>(List.of(List.of(ok("a1"), ok("a2")), List.of(ok("b"))));
        var job = Job.named("order")
                .split("both", turned ? branches.reversed() : branches, "join", 2, OnFailure.CANCEL)
                .step(ok("join"))
                .build();

        var ended = node.run(job, BatchStatus.COMPLETED);

        assertThat(calls).containsExactlyInAnyOrder("a1", "a2", "b", "join");
        assertThat(calls).containsSubsequence("a1", "a2", "join").endsWith("join");
        assertThat(statuses(ended).values()).hasSize(4).containsOnly(BatchStatus.COMPLETED);
    }

    @ParameterizedTest
    @EnumSource(OnFailure.class)
    void branch_failsWithoutMapping_failsTheJobAndARestartRunsOnlyTheUnfinished(OnFailure policy) throws Exception {
        var broken = new AtomicBoolean(true);
        var job = Job.named("unmapped")
                .split(
                        "both",
                        List.of(List.of(failing("bad", broken), ok("after-bad")), List.of(ok("good"), ok("good-2"))),
                        "join",
                        1,
                        policy)
                .step(ok("join"))
                .build();

        var failed = node.run(job, BatchStatus.FAILED);
        assertThat(failed.diagnostics().orElseThrow()).contains("bad is broken");
        assertThat(calls)
                .containsExactlyElementsOf(
                        policy == OnFailure.CANCEL ? List.of("bad") : List.of("bad", "good", "good-2"));
        broken.set(false);
        node.run(job, BatchStatus.COMPLETED);

        assertThat(calls).filteredOn("good"::equals).hasSize(1);
        assertThat(calls).filteredOn("bad"::equals).hasSize(2);
        assertThat(calls).endsWith("join").contains("after-bad", "good-2");
    }

    @Test
    void branch_failsWithMapping_goesWhereFailedLeads() throws Exception {
        var job = Job.named("mapped")
                .split(
                        "both",
                        List.of(List.of(failing("bad", new AtomicBoolean(true))), List.of(ok("good"))),
                        "join",
                        2,
                        OnFailure.DRAIN)
                .step(ok("join"))
                .step(ok("repair"))
                .flow("both", on("FAILED", "repair"), on("*", "join"))
                .flow("join", on("*", "COMPLETE"))
                .build();

        var ended = node.run(job, BatchStatus.COMPLETED);

        assertThat(calls).contains("good", "repair").doesNotContain("join");
        assertThat(statuses(ended))
                .containsEntry("bad", BatchStatus.FAILED)
                .containsEntry("repair", BatchStatus.COMPLETED);
    }

    @Test
    void stop_withOneDeafBranch_waitsForItAndStartsNothingMore() throws Exception {
        var deafInside = new CountDownLatch(1);
        var otherInside = new CountDownLatch(1);
        var fired = new CountDownLatch(1);
        var release = new CountDownLatch(1);
        Step deaf = TaskletStep.of("deaf", context -> {
            var _ = context.stopToken().onStop(fired::countDown);
            deafInside.countDown();
            release.await();
            return TaskletOutcome.COMPLETED;
        });
        Step hearing = TaskletStep.of("hearing", context -> {
            otherInside.countDown();
            assertThat(context.stopToken().await(TestNode.LONG)).isTrue();
            return TaskletOutcome.STOPPED;
        });
        var job = Job.named("deaf")
                .split("both", List.of(List.of(deaf, ok("later")), List.of(hearing)), "join", 2, OnFailure.CANCEL)
                .step(ok("join"))
                .build();
        var run = node.launch(job);
        deafInside.await();
        otherInside.await();

        node.runtime.operator().stop(run.executionId(), "test");
        FlowWalkTest.awaitStopping(run);
        assertThat(run.execution().status()).isEqualTo(BatchStatus.STOPPING);
        // Only now nothing more begins: that STOPPING is stored does not mean the branch has heard.
        fired.await();
        release.countDown();
        var ended = TestNode.ended(run);

        assertThat(ended.status()).isEqualTo(BatchStatus.STOPPED);
        assertThat(statuses(ended)).isEqualTo(Map.of("deaf", BatchStatus.COMPLETED, "hearing", BatchStatus.STOPPED));
        assertThat(calls).isEmpty();
    }

    @Test
    void splits_threeLevelsOnTwoThreads_runEverything() throws Exception {
        var innermost = split("level-3", 2, List.of(branch(step("e")), branch(step("f"))));
        var middle = split("level-2", 1, List.of(branch(step("c"), innermost, step("d")), branch(step("g"))));
        var outer = split("level-1", 1, List.of(branch(step("a"), middle, step("b")), branch(step("h"))));
        var job = Job.named("nested").split(outer, "join").step(ok("join")).build();

        var ended = node.run(job, BatchStatus.COMPLETED);

        assertThat(statuses(ended).keySet()).containsExactly("a", "b", "c", "d", "e", "f", "g", "h", "join");
        assertThat(calls).containsSubsequence("a", "c", "e", "d", "b", "join");
        assertThat(calls).containsSubsequence("a", "c", "f", "d", "b", "join");
        assertThat(threads).hasSizeLessThanOrEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 8})
    void split_anyBudget_leavesTheSameRecord(int workers) throws Exception {
        var inner = split("inner", workers, List.of(branch(step("x")), branch(step("y"))));
        var outer = split("outer", workers, List.of(branch(inner, step("z")), branch(step("w"))));
        var job = Job.named("budget").split(outer, "join").step(ok("join")).build();

        var ended = node.run(job, BatchStatus.COMPLETED);

        assertThat(node.repository.steps(ended.id()))
                .extracting(step -> step.name().value())
                .containsExactlyInAnyOrder("w", "x", "y", "z", "join");
        assertThat(node.repository.steps(ended.id()))
                .extracting(StepExecution::attempt)
                .containsOnly(1);
    }

    @Test
    void innerBranch_fails_cancelsTheOuterSiblings() throws Exception {
        var inner = split(
                "inner",
                1,
                List.of(branch(new FlowNode.StepNode(failing("bad", new AtomicBoolean(true)))), branch(step("never"))));
        var outer = split("outer", 1, List.of(branch(inner, step("after")), branch(step("sibling"))));
        var job = Job.named("cancel").split(outer, "join").step(ok("join")).build();

        var ended = node.run(job, BatchStatus.FAILED);

        assertThat(ended.diagnostics().orElseThrow()).contains("bad is broken");
        assertThat(calls).containsExactly("bad");
    }

    @Test
    void partitionsInBranches_runBesideEachOther() throws Exception {
        var parts = TaskletStep.named("parts", context -> {
                    calls.add(context.partition().orElseThrow().key());
                    return TaskletOutcome.COMPLETED;
                })
                .partitioned(Partitioning.keys(List.of("p", "q")).withWorkers(2))
                .build();
        var job = Job.named("parts")
                .split("both", List.of(List.of((Step) parts), List.of(ok("plain"))), "join", 2, OnFailure.CANCEL)
                .step(ok("join"))
                .build();

        node.run(job, BatchStatus.COMPLETED);

        assertThat(calls).containsExactlyInAnyOrder("p", "q", "plain", "join").endsWith("join");
    }
}
