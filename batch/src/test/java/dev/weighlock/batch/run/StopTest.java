package dev.weighlock.batch.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.ExitStatus;
import dev.weighlock.batch.StopTiming;
import dev.weighlock.batch.chunk.Backoff;
import dev.weighlock.batch.chunk.Delivery;
import dev.weighlock.batch.chunk.InFlight;
import dev.weighlock.batch.chunk.RetryPolicy;
import dev.weighlock.batch.flow.ChunkStep;
import dev.weighlock.batch.flow.Job;
import dev.weighlock.batch.flow.TaskletStep;
import dev.weighlock.batch.launch.LaunchOptions;
import dev.weighlock.batch.repository.StopDecision;
import dev.weighlock.batch.step.JobContext;
import dev.weighlock.batch.step.JobListener;
import dev.weighlock.batch.stop.StopSource;
import dev.weighlock.batch.tasklet.BlockingTasklets;
import dev.weighlock.batch.tasklet.TaskletOutcome;
import dev.weighlock.batch.testing.MemoryTarget;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StopTest {
    private final TestNode node = new TestNode();
    private final MemoryTarget target = new MemoryTarget();

    @AfterEach
    void close() {
        node.close();
        assertThat(target.openTransactions()).isZero();
    }

    /** Copies 20 items, five a chunk, and waits before item 8 the first time until a stop is seen. */
    private Job copying(InFlight policy, CountDownLatch inside) {
        var first = new AtomicBoolean(true);
        var step = ChunkStep.<Long>copying(
                        "copy",
                        step2 -> {
                            var reader = Items.upTo(20, number -> {
                                        if (number == 8 && first.getAndSet(false)) {
                                            inside.countDown();
                                            awaitStop(step2.stopToken());
                                        }
                                    })
                                    .create(step2);
                            return new dev.weighlock.batch.chunk.ItemReader<Long>() {
                                @Override
                                public @org.jspecify.annotations.Nullable Long read() throws Exception {
                                    return reader.read();
                                }

                                @Override
                                public void open(
                                        dev.weighlock.batch.ExecutionContext context,
                                        dev.weighlock.batch.step.StepContext step)
                                        throws Exception {
                                    reader.open(context, step);
                                }

                                @Override
                                public dev.weighlock.batch.ExecutionContext update(
                                        dev.weighlock.batch.ExecutionContext context) throws Exception {
                                    return reader.update(context);
                                }
                            };
                        },
                        Items.toTarget(number -> {}))
                .delivery(Delivery.withTarget(context -> target))
                .size(5)
                .inFlight(policy)
                .build();
        return Job.named("copy").step(step).build();
    }

    private static void awaitStop(dev.weighlock.batch.stop.StopToken stop) {
        try {
            assertThat(stop.await(TestNode.LONG)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<Object> numbers(long count) {
        return LongStream.rangeClosed(1, count).<Object>mapToObj(Long::valueOf).toList();
    }

    @Test
    void stopInChunk_finish_commitsWhatWasRead() throws Exception {
        var inside = new CountDownLatch(1);
        var job = copying(InFlight.FINISH_CHUNK, inside);
        var run = node.launch(job);
        inside.await();

        node.runtime.operator().stop(run.executionId(), "test");
        assertThat(TestNode.ended(run).status()).isEqualTo(BatchStatus.STOPPED);

        assertThat(target.rows()).isEqualTo(numbers(8));
        node.run(job, BatchStatus.COMPLETED);
        assertThat(target.rows()).isEqualTo(numbers(20));
    }

    @Test
    void stopInChunk_rollback_leavesTheLastCommit() throws Exception {
        var inside = new CountDownLatch(1);
        var job = copying(InFlight.ROLLBACK_CHUNK, inside);
        var run = node.launch(job);
        inside.await();

        node.runtime.operator().stop(run.executionId(), "test");
        var stopped = TestNode.ended(run);

        assertThat(stopped.status()).isEqualTo(BatchStatus.STOPPED);
        assertThat(node.step(stopped, "copy").counts().rollbacks()).isEqualTo(1);
        assertThat(target.rows()).isEqualTo(numbers(5));
        node.run(job, BatchStatus.COMPLETED);
        assertThat(target.rows()).isEqualTo(numbers(20));
    }

    @Test
    void stopInBackOff_endsTheWait() throws Exception {
        var failed = new CountDownLatch(1);
        var broken = new AtomicBoolean(true);
        var step = ChunkStep.<Long>copying("copy", Items.upTo(3), Items.toTarget(number -> {
                    if (broken.get()) {
                        failed.countDown();
                        throw new IllegalStateException("later");
                    }
                }))
                .delivery(Delivery.withTarget(context -> target))
                .retry(RetryPolicy.of(1000, Backoff.fixed(Duration.ofHours(1))))
                .build();
        var job = Job.named("backoff").step(step).build();
        var run = node.launch(job);
        failed.await();

        run.stop();

        assertThat(TestNode.ended(run).status()).isEqualTo(BatchStatus.STOPPED);
        broken.set(false);
        node.run(job, BatchStatus.COMPLETED);
        assertThat(target.rows()).isEqualTo(numbers(3));
    }

    @Test
    void stopBeforeStart_runsNothing() throws Exception {
        var source = new StopSource();
        source.stop();
        var calls = new AtomicInteger();
        var job = Job.named("early")
                .step(TaskletStep.of("a", context -> {
                    calls.incrementAndGet();
                    return TaskletOutcome.COMPLETED;
                }))
                .build();

        var ended = node.run(job, LaunchOptions.DEFAULT.withStopToken(source.token()));

        assertThat(ended.status()).isEqualTo(BatchStatus.STOPPED);
        assertThat(calls).hasValue(0);
        assertThat(node.repository.steps(ended.id())).isEmpty();
    }

    @Test
    void stopBetweenSteps_nextStepNeverStarts() throws Exception {
        var runs = new ArrayList<RunningJob>();
        var launched = new CountDownLatch(1);
        var job = Job.named("between")
                .step(TaskletStep.named("a", context -> TaskletOutcome.COMPLETED)
                        .listener(new dev.weighlock.batch.step.StepListener() {
                            @Override
                            public void afterStep(
                                    dev.weighlock.batch.step.StepContext context,
                                    dev.weighlock.batch.StepExecution step)
                                    throws Exception {
                                launched.await();
                                runs.getFirst().stop();
                                // That STOPPING is stored does not mean that the flow has heard.
                                assertThat(context.stopToken().await(TestNode.LONG))
                                        .isTrue();
                            }
                        })
                        .build())
                .step(TaskletStep.of("b", context -> TaskletOutcome.COMPLETED))
                .build();

        runs.add(node.launch(job));
        launched.countDown();
        var ended = TestNode.ended(runs.getFirst());

        assertThat(ended.status()).isEqualTo(BatchStatus.STOPPED);
        assertThat(node.repository.steps(ended.id())).hasSize(1);
        node.run(job, BatchStatus.COMPLETED);
    }

    @Test
    void stopInTheGapBeforeTheEnd_seenByTheOwner_isStopped() throws Exception {
        var runs = new ArrayList<RunningJob>();
        var launched = new CountDownLatch(1);
        var job = Job.named("gap")
                .step(TaskletStep.of("a", context -> TaskletOutcome.COMPLETED))
                .listener(new JobListener() {
                    @Override
                    public void afterJob(JobContext context, dev.weighlock.batch.JobExecution execution)
                            throws Exception {
                        launched.await();
                        if (runs.getFirst().execution().attempt() == 1 && context.jobAttempt() == 1) {
                            runs.getFirst().stop();
                            FlowWalkTest.awaitStopping(runs.getFirst());
                        }
                    }
                })
                .build();

        runs.add(node.launch(job));
        launched.countDown();

        assertThat(TestNode.ended(runs.getFirst()).status()).isEqualTo(BatchStatus.STOPPED);
        node.run(job, BatchStatus.COMPLETED);
    }

    @Test
    void stopOfAFinishedExecution_isRefusedAndChangesNothing() throws Exception {
        var job = Job.named("done")
                .step(TaskletStep.of("a", context -> TaskletOutcome.COMPLETED))
                .build();
        var ended = node.run(job, BatchStatus.COMPLETED);

        assertThat(node.runtime.operator().stop(ended.id(), "test")).isInstanceOf(StopDecision.AlreadyFinished.class);
        assertThat(node.repository.execution(ended.id())).contains(ended);
    }

    @Test
    void blockingTasklet_stopWhileRunning_isCompleteAndSaysSo() throws Exception {
        var inside = new CountDownLatch(1);
        var fired = new CountDownLatch(1);
        var go = new CountDownLatch(1);
        var job = Job.named("blocking")
                .step(TaskletStep.of("a", new BlockingTasklets(1).adapt(context -> {
                            var _ = context.stopToken().onStop(fired::countDown);
                            inside.countDown();
                            go.await();
                            return ExitStatus.COMPLETED;
                        })))
                .build();
        var run = node.launch(job);
        inside.await();

        run.stop();
        // The token fires after STOPPING is stored and told.
        fired.await();
        go.countDown();
        var ended = TestNode.ended(run);

        assertThat(ended.status()).isEqualTo(BatchStatus.STOPPED);
        assertThat(node.step(ended, "a").status()).isEqualTo(BatchStatus.COMPLETED);
        assertThat(node.step(ended, "a").stopTiming()).contains(StopTiming.AFTER_BLOCKING_WORK);
    }

    @Test
    void blockingTasklet_stopWhileWaitingForAPermit_isNeverCalled() throws Exception {
        var permits = new BlockingTasklets(1);
        var inside = new CountDownLatch(1);
        var go = new CountDownLatch(1);
        var holder = node.launch(Job.named("holder")
                .step(TaskletStep.of("a", permits.adapt(context -> {
                    inside.countDown();
                    go.await();
                    return ExitStatus.COMPLETED;
                })))
                .build());
        inside.await();
        var called = new AtomicBoolean();
        var waiter = node.launch(Job.named("waiter")
                .step(TaskletStep.of("a", permits.adapt(context -> {
                    called.set(true);
                    return ExitStatus.COMPLETED;
                })))
                .build());

        waiter.stop();
        var ended = TestNode.ended(waiter);

        assertThat(ended.status()).isEqualTo(BatchStatus.STOPPED);
        assertThat(called).isFalse();
        node.repository
                .steps(ended.id())
                .forEach(step -> assertThat(step.stopTiming()).contains(StopTiming.BEFORE_START));
        go.countDown();
        assertThat(TestNode.ended(holder).status()).isEqualTo(BatchStatus.COMPLETED);
    }
}
