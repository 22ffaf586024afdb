package dev.weighlock.batch.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;
import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.FailureCategory;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.JobParameters;
import dev.weighlock.batch.flow.Job;
import dev.weighlock.batch.flow.TaskletStep;
import dev.weighlock.batch.repository.InMemoryJobRepository;
import dev.weighlock.batch.repository.JobRepository;
import dev.weighlock.batch.run.RunOutcome;
import dev.weighlock.batch.run.RunningJob;
import dev.weighlock.batch.stop.StopToken;
import dev.weighlock.batch.tasklet.TaskletOutcome;
import dev.weighlock.batch.testing.Await;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A node whose proof of life lapsed: it lets go of what it runs, starts nothing, and is as good as new afterwards. */
class LapseTest {
    private static final Duration LONG = Duration.ofMinutes(5);

    private final InMemoryJobRepository stored = new InMemoryJobRepository();
    private final List<Consumer<String>> listeners = new CopyOnWriteArrayList<>();
    private final CountDownLatch running = new CountDownLatch(1);
    private volatile @Nullable String unfit;
    private final NodeRuntime node = NodeRuntime.on(leased())
            .settings(NodeSettings.DEFAULT.withPoll(Duration.ofMillis(100)))
            .start();

    @AfterEach
    void close() {
        node.close();
    }

    /** The repository in memory with a proof of life that can lapse. */
    private JobRepository leased() {
        return (JobRepository) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {JobRepository.class}, (proxy, method, arguments) -> {
                    switch (method.getName()) {
                        case "unfit" -> {
                            return Optional.ofNullable(unfit);
                        }
                        case "onLapse" -> {
                            @SuppressWarnings("unchecked")
                            var listener = (Consumer<String>) Objects.requireNonNull(arguments)[0];
                            listeners.add(listener);
                            return (AutoCloseable) () -> listeners.remove(listener);
                        }
                        default -> {
                            try {
                                return method.invoke(stored, arguments);
                            } catch (InvocationTargetException e) {
                                throw Objects.requireNonNull(e.getCause());
                            }
                        }
                    }
                });
    }

    private void lapse() {
        unfit = "not renewed";
        listeners.forEach(listener -> listener.accept("not renewed"));
    }

    private static TaskletOutcome untilStopped(StopToken stop) throws InterruptedException {
        return stop.await(LONG) ? TaskletOutcome.STOPPED : TaskletOutcome.COMPLETED;
    }

    private Job job(Job.Recovery recovery) {
        return Job.named("job")
                .step(TaskletStep.of("work", context -> {
                    running.countDown();
                    return context.jobAttempt() == 1 ? untilStopped(context.stopToken()) : TaskletOutcome.COMPLETED;
                }))
                .recovery(recovery)
                .build();
    }

    private RunningJob launched(Job job) throws InterruptedException {
        var run = ((LaunchResult.Launched) node.launcher().launch(job, JobParameters.NONE)).run();
        running.await();
        return run;
    }

    private JobExecution stored(RunningJob run) {
        return stored.execution(run.executionId()).orElseThrow();
    }

    @Test
    void lapse_stopsTheWorkAndStoresNothing() throws Exception {
        var run = launched(job(Job.Recovery.FAIL));

        lapse();

        assertThat(run.await(LONG).orElseThrow())
                .isInstanceOfSatisfying(
                        RunOutcome.GivenUp.class,
                        given -> assertThat(given.reason()).isEqualTo("not renewed"));
        assertThat(stored(run).status()).isEqualTo(BatchStatus.STARTED);
        assertThat(stored(run).stop().seenAt()).isEmpty();
    }

    @Test
    void lapseSeenByTheWorkItself_isALapseToo() throws Exception {
        var job = Job.named("job")
                .step(TaskletStep.of("work", context -> {
                    unfit = "not renewed";
                    return TaskletOutcome.COMPLETED;
                }))
                .build();

        var run = ((LaunchResult.Launched) node.launcher().launch(job, JobParameters.NONE)).run();

        assertThat(run.await(LONG).orElseThrow()).isInstanceOf(RunOutcome.GivenUp.class);
        assertThat(stored(run).status()).isEqualTo(BatchStatus.STARTED);
    }

    @Test
    void unfitNode_startsNothingAndTakesNothingOver() throws Exception {
        unfit = "not renewed";

        assertThatThrownBy(() -> node.launcher().launch(job(Job.Recovery.FAIL), JobParameters.NONE))
                .isInstanceOfSatisfying(BatchException.class, e -> {
                    assertThat(e.error()).isEqualTo(BatchError.REPOSITORY_UNAVAILABLE);
                    assertThat(e).hasMessageContaining("not renewed");
                });
        assertThat(stored.executions(Optional.empty(), Optional.empty(), 10).items())
                .isEmpty();
        assertThat(node.recoverDead()).isEmpty();
    }

    @Test
    void nodeThatIsFitAgain_endsWhatItLetGoAndRunsAnew() throws Exception {
        var run = launched(job(Job.Recovery.FAIL));
        lapse();
        assertThat(run.await(LONG)).isPresent();

        unfit = null;

        Await.until(() -> stored(run).status() == BatchStatus.FAILED);
        assertThat(stored(run).failure().orElseThrow().category()).isEqualTo(FailureCategory.OWNER_LOST);
        var again = launched(job(Job.Recovery.FAIL));
        assertThat(again.await(LONG).orElseThrow()).isInstanceOf(RunOutcome.Ended.class);
        assertThat(stored(again).status()).isEqualTo(BatchStatus.COMPLETED);
    }

    @Test
    void recoverRestart_ofWhatWasLetGo_runsItAgain() throws Exception {
        var definition = job(Job.Recovery.RESTART);
        try (var other = NodeRuntime.on(leased())
                .settings(NodeSettings.DEFAULT.withPoll(Duration.ofMillis(100)))
                .definitions(JobDefinitions.of(definition))
                .start()) {
            var run = ((LaunchResult.Launched) other.launcher().launch(definition, JobParameters.NONE)).run();
            running.await();
            lapse();
            assertThat(run.await(LONG)).isPresent();

            unfit = null;

            var instance = stored(run).instance().id();
            Await.until(() -> stored.lastExecution(instance).orElseThrow().status() == BatchStatus.COMPLETED);
            assertThat(stored.lastExecution(instance).orElseThrow().attempt()).isEqualTo(2);
        }
    }
}
