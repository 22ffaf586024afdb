package dev.weighlock.batch.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.StepCounts;
import dev.weighlock.batch.StepExecution;
import dev.weighlock.batch.chunk.Backoff;
import dev.weighlock.batch.chunk.ChunkListener;
import dev.weighlock.batch.chunk.Delivery;
import dev.weighlock.batch.chunk.ItemListener;
import dev.weighlock.batch.chunk.RetryPolicy;
import dev.weighlock.batch.chunk.SkipPhase;
import dev.weighlock.batch.chunk.SkipPolicy;
import dev.weighlock.batch.flow.ChunkStep;
import dev.weighlock.batch.flow.Job;
import dev.weighlock.batch.flow.TaskletStep;
import dev.weighlock.batch.step.JobContext;
import dev.weighlock.batch.step.JobListener;
import dev.weighlock.batch.step.StepContext;
import dev.weighlock.batch.step.StepListener;
import dev.weighlock.batch.tasklet.TaskletOutcome;
import dev.weighlock.batch.testing.MemoryTarget;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ListenerTest {
    private final TestNode node = new TestNode();
    private final MemoryTarget target = new MemoryTarget();
    private final List<String> calls = new ArrayList<>();

    @AfterEach
    void close() {
        node.close();
    }

    /** Records its calls and throws at one of them. */
    private final class Recorder implements JobListener, StepListener, ChunkListener, ItemListener {
        private final String name;
        private final String throwsAt;

        Recorder(String name, String throwsAt) {
            this.name = name;
            this.throwsAt = throwsAt;
        }

        private void called(String point) {
            calls.add(name + "." + point);
            if (point.equals(throwsAt)) {
                throw new IllegalStateException(name + " fails in " + point);
            }
        }

        @Override
        public void beforeJob(JobContext context) {
            called("beforeJob");
        }

        @Override
        public void afterJob(JobContext context, JobExecution execution) {
            called("afterJob");
        }

        @Override
        public void beforeStep(StepContext context) {
            called("beforeStep");
        }

        @Override
        public void afterStep(StepContext context, StepExecution step) {
            called("afterStep");
        }

        @Override
        public void beforeChunk(StepContext context, int items) {
            called("beforeChunk");
        }

        @Override
        public void afterChunk(StepContext context, StepCounts attempt) {
            called("afterChunk");
        }

        @Override
        public void beforeRead(StepContext context) {
            called("beforeRead");
        }

        @Override
        public void afterRead(StepContext context, Object item) {
            called("afterRead");
        }

        @Override
        public void beforeProcess(StepContext context, Object item) {
            called("beforeProcess");
        }

        @Override
        public void afterProcess(StepContext context, Object item, @Nullable Object result) {
            called("afterProcess");
        }

        @Override
        public void beforeWrite(StepContext context, List<?> items) {
            called("beforeWrite");
        }

        @Override
        public void afterWrite(StepContext context, List<?> items) {
            called("afterWrite");
        }

        @Override
        public void onSkip(StepContext context, SkipPhase phase, @Nullable Object item, Throwable failure) {
            called("onSkip");
        }

        @Override
        public void onRetry(StepContext context, SkipPhase phase, int retry, Throwable failure) {
            called("onRetry");
        }
    }

    private Job job(String throwsAt) {
        return job(throwsAt, false);
    }

    private Job job(String throwsAt, boolean items) {
        var one = new Recorder("one", throwsAt);
        var two = new Recorder("two", "");
        var step = ChunkStep.<Long>copying("copy", Items.upTo(3), Items.toTarget(number -> {
                    if (number == 2) {
                        throw new IllegalStateException("bad");
                    }
                }))
                .delivery(Delivery.withTarget(context -> target))
                .retry(RetryPolicy.of(1, Backoff.NONE))
                .skip(SkipPolicy.of(1))
                .listener(one)
                .listener(two)
                .chunkListener(one)
                .chunkListener(two);
        if (items) {
            step.itemListener(one).itemListener(two);
        }
        return Job.named("heard").listener(one).listener(two).step(step.build()).build();
    }

    @Test
    void listeners_allWell_areMirrored() throws Exception {
        node.run(job(""), BatchStatus.COMPLETED);

        assertThat(calls)
                .containsExactly(
                        "one.beforeJob",
                        "two.beforeJob",
                        "one.beforeStep",
                        "two.beforeStep",
                        "one.beforeChunk",
                        "two.beforeChunk",
                        "two.onRetry",
                        "one.onRetry",
                        "two.onSkip",
                        "one.onSkip",
                        "two.afterChunk",
                        "one.afterChunk",
                        "two.afterStep",
                        "one.afterStep",
                        "two.afterJob",
                        "one.afterJob");
    }

    @Test
    void itemListeners_allWell_areMirrored() throws Exception {
        var one = new Recorder("one", "");
        var two = new Recorder("two", "");
        var step = ChunkStep.<Long>copying("copy", Items.upTo(1), Items.toTarget(number -> {}))
                .delivery(Delivery.withTarget(context -> target))
                .itemListener(one)
                .itemListener(two)
                .build();

        node.run(Job.named("items").step(step).build(), BatchStatus.COMPLETED);

        assertThat(calls)
                .containsExactly(
                        "one.beforeRead",
                        "two.beforeRead",
                        "two.afterRead",
                        "one.afterRead",
                        // The reader's end.
                        "one.beforeRead",
                        "two.beforeRead",
                        "one.beforeProcess",
                        "two.beforeProcess",
                        "two.afterProcess",
                        "one.afterProcess",
                        "one.beforeWrite",
                        "two.beforeWrite",
                        "two.afterWrite",
                        "one.afterWrite");
    }

    @ParameterizedTest
    @ValueSource(strings = {"beforeRead", "beforeProcess", "beforeWrite"})
    void beforeItem_failing_failsTheStepAndIsNeitherRetriedNorSkipped(String point) throws Exception {
        var ended = node.run(job(point, true), BatchStatus.FAILED);

        assertThat(ended.diagnostics().orElseThrow()).contains("one fails in " + point);
        assertThat(target.rows()).isEmpty();
        assertThat(node.step(ended, "copy").counts().skipped()).isZero();
        assertThat(calls).containsOnlyOnce("one." + point).doesNotContain("two." + point, "two.onSkip", "two.onRetry");
    }

    @ParameterizedTest
    @ValueSource(strings = {"afterRead", "afterProcess", "afterWrite"})
    void afterItem_failing_changesNoOutcomeAndIsKept(String point) throws Exception {
        var ended = node.run(job(point, true), BatchStatus.COMPLETED);

        assertThat(target.rows()).containsExactly(1L, 3L);
        assertThat(node.step(ended, "copy").diagnostics().orElseThrow()).contains("one fails in " + point);
    }

    @ParameterizedTest
    @ValueSource(strings = {"beforeJob", "beforeStep", "beforeChunk"})
    void before_failing_failsWhatItStandsBefore(String point) throws Exception {
        var ended = node.run(job(point), BatchStatus.FAILED);

        assertThat(ended.diagnostics().orElseThrow()).contains("one fails in " + point);
        assertThat(target.rows()).isEmpty();
        // Its own "after" is not called, and neither is anything of a listener behind it.
        assertThat(calls).doesNotContain("two." + point, "one." + point.replace("before", "after"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"afterStep", "afterChunk", "onSkip", "onRetry"})
    void after_failing_changesNoOutcomeAndIsKept(String point) throws Exception {
        var ended = node.run(job(point), BatchStatus.COMPLETED);

        assertThat(target.rows()).containsExactly(1L, 3L);
        assertThat(node.step(ended, "copy").diagnostics().orElseThrow()).contains("one fails in " + point);
        assertThat(calls).contains("two." + point, "one.afterJob");
    }

    @Test
    void afterJob_failing_changesNoOutcomeAndIsKept() throws Exception {
        var ended = node.run(job("afterJob"), BatchStatus.COMPLETED);

        assertThat(ended.diagnostics().orElseThrow()).contains("one fails in afterJob");
    }

    @Test
    void afterStep_ofFailedStep_isCalledAndBothFailuresAreKept() throws Exception {
        var listener = new Recorder("one", "afterStep");
        var job = Job.named("both")
                .step(TaskletStep.named("a", context -> {
                            throw new IllegalStateException("the body fails");
                        })
                        .listener(listener)
                        .build())
                .build();

        var ended = node.run(job, BatchStatus.FAILED);

        assertThat(node.step(ended, "a").diagnostics().orElseThrow())
                .contains("the body fails")
                .contains("one fails in afterStep");
        assertThat(ended.diagnostics().orElseThrow()).contains("the body fails");
    }

    @Test
    void progressListener_throwing_disturbsNobody() throws Exception {
        try (var noisy = dev.weighlock.batch.launch.NodeRuntime.on(node.repository)
                .progress(event -> {
                    throw new IllegalStateException("noise");
                })
                .start()) {
            var job = Job.named("quiet")
                    .step(TaskletStep.of("a", context -> TaskletOutcome.COMPLETED))
                    .build();
            var result = noisy.launcher().launch(job, dev.weighlock.batch.JobParameters.NONE);

            var run = ((dev.weighlock.batch.launch.LaunchResult.Launched) result).run();
            assertThat(TestNode.ended(run).status()).isEqualTo(BatchStatus.COMPLETED);
        }
    }
}
