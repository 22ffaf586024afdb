package dev.weighlock.batch.run;

import static dev.weighlock.batch.flow.Transition.on;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.FailureCategory;
import dev.weighlock.batch.StepExecution;
import dev.weighlock.batch.StopTiming;
import dev.weighlock.batch.flow.Job;
import dev.weighlock.batch.flow.Step;
import dev.weighlock.batch.flow.TaskletStep;
import dev.weighlock.batch.launch.LaunchResult;
import dev.weighlock.batch.partition.OnFailure;
import dev.weighlock.batch.repository.AuditEntry;
import dev.weighlock.batch.tasklet.TaskletOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FlowWalkTest {
    private final TestNode node = new TestNode();
    private final List<String> calls = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        node.close();
    }

    private Step ok(String name) {
        return TaskletStep.of(name, context -> {
            calls.add(name);
            return TaskletOutcome.COMPLETED;
        });
    }

    /** Fails as long as the flag is set. */
    private Step failing(String name, AtomicBoolean broken) {
        return TaskletStep.of(name, context -> {
            calls.add(name);
            if (broken.get()) {
                throw new IllegalStateException("broken " + name);
            }
            return TaskletOutcome.COMPLETED;
        });
    }

    private static List<String> names(List<StepExecution> steps) {
        return steps.stream().map(step -> step.name().value()).toList();
    }

    @Test
    void sequence_allStepsComplete_jobIsCompletedInOrder() throws Exception {
        var job = Job.named("seq").step(ok("a")).step(ok("b")).step(ok("c")).build();

        var ended = node.run(job, BatchStatus.COMPLETED);

        assertThat(calls).containsExactly("a", "b", "c");
        assertThat(ended.endedAt()).isPresent();
        assertThat(node.runtime.launcher().launch(job, ended.parameters()))
                .isInstanceOf(LaunchResult.AlreadyComplete.class);
    }

    @Test
    void restart_afterFailure_reusesCompletedSteps() throws Exception {
        var broken = new AtomicBoolean(true);
        var job = Job.named("seq")
                .step(ok("a"))
                .step(failing("b", broken))
                .step(ok("c"))
                .build();

        var failed = node.run(job, BatchStatus.FAILED);
        assertThat(failed.failure().orElseThrow().category()).isEqualTo(FailureCategory.STEP_FAILED);
        assertThat(failed.diagnostics().orElseThrow()).contains("broken b");
        broken.set(false);
        var second = node.run(job, BatchStatus.COMPLETED);

        assertThat(calls).containsExactly("a", "b", "b", "c");
        assertThat(second.attempt()).isEqualTo(2);
        assertThat(second.epoch()).isGreaterThan(failed.epoch());
        assertThat(names(node.repository.steps(second.id()))).containsExactly("b", "c");
    }

    @Test
    void restart_afterMappedFailure_followsTheRecordedWay() throws Exception {
        var broken = new AtomicBoolean(true);
        var job = Job.named("mapped")
                .step(failing("a", new AtomicBoolean(true)))
                .step(ok("never"))
                .step(failing("cleanup", broken))
                .flow("a", on("FAILED", "cleanup"), on("*", "never"))
                .flow("never", on("*", "COMPLETE"))
                .build();

        node.run(job, BatchStatus.FAILED);
        broken.set(false);
        node.run(job, BatchStatus.COMPLETED);

        assertThat(calls).containsExactly("a", "cleanup", "cleanup");
    }

    @Test
    void decision_onRestart_isNotMadeAgain() throws Exception {
        var broken = new AtomicBoolean(true);
        var decisions = new AtomicInteger();
        var job = Job.named("decided")
                .decision("choose", "1", context -> decisions.getAndIncrement() == 0 ? "LEFT" : "RIGHT")
                .step(failing("left", broken))
                .step(ok("right"))
                .flow("choose", on("LEFT", "left"), on("RIGHT", "right"))
                .flow("left", on("FAILED", "FAIL"), on("*", "COMPLETE"))
                .build();

        node.run(job, BatchStatus.FAILED);
        broken.set(false);
        var second = node.run(job, BatchStatus.COMPLETED);

        assertThat(decisions).hasValue(1);
        assertThat(calls).containsExactly("left", "left");
        assertThat(node.repository.decisions(second.instance().id()))
                .extracting(decision -> decision.node() + ">" + decision.target())
                .containsExactly("choose>left");
    }

    @Test
    void exitCode_withoutTransition_failsNamingStepAndCode() throws Exception {
        var job = Job.named("odd")
                .step(TaskletStep.of("a", context -> TaskletOutcome.completedWith("ODD")))
                .flow("a", on("COMPLETED", "COMPLETE"))
                .build();

        var ended = node.run(job, BatchStatus.FAILED);

        assertThat(ended.failure().orElseThrow().category()).isEqualTo(FailureCategory.FLOW_FAILED);
        assertThat(ended.diagnostics().orElseThrow()).contains("\"a\"").contains("\"ODD\"");
    }

    @Test
    void tasklet_thatCannotTellItsCommit_isUnknownUntilAPersonDecides() throws Exception {
        var job = Job.named("unsure")
                .step(TaskletStep.of(
                        "a",
                        context -> context.jobAttempt() == 1
                                ? new TaskletOutcome.CommitOutcomeUnknown("the bank gave no answer")
                                : TaskletOutcome.COMPLETED))
                .build();

        var unknown = node.run(job, BatchStatus.UNKNOWN);

        assertThat(node.step(unknown, "a").status()).isEqualTo(BatchStatus.UNKNOWN);
        assertThat(node.step(unknown, "a").diagnostics().orElseThrow()).contains("the bank gave no answer");
        assertThat(node.runtime.launcher().launch(job, unknown.parameters()))
                .isEqualTo(new LaunchResult.OutcomeUnknown(unknown));
        node.repository.failUnknown(unknown, new AuditEntry("recover", "test", "it did not"));
        node.run(job, BatchStatus.COMPLETED);
    }

    @Test
    void nestedFlow_endingByFail_goesTheWayOfTheFlowAroundIt() throws Exception {
        var inner = Job.named("inner")
                .step(failing("i1", new AtomicBoolean(true)))
                .step(ok("i2"))
                .build();
        var job = Job.named("outer")
                .step(ok("before"))
                .nested("in", inner)
                .step(ok("after"))
                .step(ok("cleanup"))
                .flow("in", on("FAILED", "cleanup"), on("*", "after"))
                .flow("after", on("*", "COMPLETE"))
                .build();

        node.run(job, BatchStatus.COMPLETED);

        assertThat(calls).containsExactly("before", "i1", "cleanup");
    }

    @Test
    void startLimit_reached_failsTheJobAndKeepsTheStep() throws Exception {
        var step = TaskletStep.named("a", context -> {
                    calls.add("a");
                    throw new IllegalStateException("always");
                })
                .startLimit(2)
                .build();
        var job = Job.named("limited").step(step).build();

        node.run(job, BatchStatus.FAILED);
        node.run(job, BatchStatus.FAILED);
        var third = node.run(job, BatchStatus.FAILED);

        assertThat(calls).hasSize(2);
        assertThat(third.diagnostics().orElseThrow()).contains("limit is 2");
    }

    @Test
    void stop_whileBodyRuns_bodyThatCompletedIsNotRunAgain() throws Exception {
        var inside = new CountDownLatch(1);
        var go = new CountDownLatch(1);
        var job = Job.named("stopped")
                .step(TaskletStep.of("a", context -> {
                    calls.add("a");
                    inside.countDown();
                    go.await();
                    return TaskletOutcome.COMPLETED;
                }))
                .step(ok("b"))
                .build();

        var run = node.launch(job);
        inside.await();
        node.runtime.operator().stop(run.executionId(), "test");
        awaitStopping(run);
        go.countDown();
        var stopped = TestNode.ended(run);

        assertThat(stopped.status()).isEqualTo(BatchStatus.STOPPED);
        assertThat(node.step(stopped, "a").status()).isEqualTo(BatchStatus.COMPLETED);
        assertThat(stopped.stop().request()).isPresent();
        assertThat(stopped.stop().seenAt()).isPresent();
        assertThat(stopped.stop().lastCommitAt()).isPresent();
        node.run(job, BatchStatus.COMPLETED);
        assertThat(calls).containsExactly("a", "b");
    }

    static void awaitStopping(RunningJob run) throws InterruptedException {
        while (run.execution().status() != BatchStatus.STOPPING) {
            Thread.onSpinWait();
        }
    }

    @Test
    void stop_seenByTasklet_isRecordedAndRunAgain() throws Exception {
        var inside = new CountDownLatch(1);
        var first = new AtomicBoolean(true);
        var job = Job.named("cooperative")
                .step(TaskletStep.of("a", context -> {
                    calls.add("a");
                    if (!first.getAndSet(false)) {
                        return TaskletOutcome.COMPLETED;
                    }
                    inside.countDown();
                    assertThat(context.stopToken().await(TestNode.LONG)).isTrue();
                    return TaskletOutcome.STOPPED;
                }))
                .build();

        var run = node.launch(job);
        inside.await();
        run.stop();
        var stopped = TestNode.ended(run);

        assertThat(stopped.status()).isEqualTo(BatchStatus.STOPPED);
        assertThat(stopped.exitStatus().code()).isEqualTo("STOPPED");
        assertThat(node.step(stopped, "a").stopTiming()).contains(StopTiming.DURING_EXECUTION);
        node.run(job, BatchStatus.COMPLETED);
        assertThat(calls).containsExactly("a", "a");
    }

    @Test
    void split_branchFails_siblingIsCancelledAndRestartRunsOnlyTheUnfinished() throws Exception {
        var broken = new AtomicBoolean(true);
        var leftDone = new CountDownLatch(1);
        Step left = TaskletStep.of("left", context -> {
            calls.add("left");
            leftDone.countDown();
            return TaskletOutcome.COMPLETED;
        });
        Step right = TaskletStep.of("right", context -> {
            leftDone.await();
            if (broken.get()) {
                throw new IllegalStateException("right is broken");
            }
            calls.add("right");
            return TaskletOutcome.COMPLETED;
        });
        var job = Job.named("split")
                .split("both", List.of(List.of(left), List.of(right)), "join", 2, OnFailure.CANCEL)
                .step(ok("join"))
                .build();

        var failed = node.run(job, BatchStatus.FAILED);
        assertThat(failed.diagnostics().orElseThrow()).contains("right is broken");
        broken.set(false);
        node.run(job, BatchStatus.COMPLETED);

        assertThat(new ArrayList<>(calls)).containsExactly("left", "right", "join");
    }
}
