package dev.weighlock.batch.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.JobParameters;
import dev.weighlock.batch.flow.Job;
import dev.weighlock.batch.flow.TaskletStep;
import dev.weighlock.batch.launch.LaunchResult;
import dev.weighlock.batch.launch.NodeRuntime;
import dev.weighlock.batch.launch.NodeSettings;
import dev.weighlock.batch.operate.JobOperator;
import dev.weighlock.batch.repository.JobRepository;
import dev.weighlock.batch.run.RunOutcome;
import dev.weighlock.batch.run.RunningJob;
import dev.weighlock.batch.tasklet.TaskletOutcome;
import dev.weighlock.batch.testkit.CutProxy;
import dev.weighlock.batch.testkit.EmbeddedDatabase;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Stop requests of another process: pushed, or found by the poll where nothing can be pushed. */
class StopPushTest {
    private static final Duration LONG = Duration.ofMinutes(5);

    @TempDir
    Path folder;

    private PostgresSettings settings;
    private final CountDownLatch running = new CountDownLatch(1);

    @BeforeEach
    void migrate() throws Exception {
        settings = through(EmbeddedDatabase.createDatabase(), EmbeddedDatabase.port());
        new PostgresSchema(settings).migrate();
    }

    private PostgresSettings through(String database, int port) {
        return PostgresSettings.of(
                        EmbeddedDatabase.url(database, port),
                        () -> Optional.of(EmbeddedDatabase.USER),
                        () -> Optional.of("any"))
                .withLockFolder(folder);
    }

    private String throughProxy(CutProxy proxy) {
        var url = settings.server().url();
        return EmbeddedDatabase.url(url.substring(url.lastIndexOf('/') + 1), proxy.port());
    }

    private RunningJob launched(NodeRuntime node) throws InterruptedException {
        var job = Job.named("job")
                .step(TaskletStep.of("wait", context -> {
                    running.countDown();
                    return context.stopToken().await(Duration.ofMinutes(2))
                            ? TaskletOutcome.STOPPED
                            : TaskletOutcome.COMPLETED;
                }))
                .build();
        var run = ((LaunchResult.Launched) node.launcher().launch(job, JobParameters.NONE)).run();
        running.await();
        return run;
    }

    /** A process that is no node. */
    private void requestStop(RunningJob run) {
        try (var operator = PostgresRepository.open(settings)) {
            new JobOperator(operator).stop(run.executionId(), "somebody@here");
        }
    }

    /** A repository whose poll finds nothing: only a push ends a run on it. */
    private static JobRepository withoutPoll(JobRepository repository) {
        return (JobRepository) Proxy.newProxyInstance(
                StopPushTest.class.getClassLoader(),
                new Class<?>[] {JobRepository.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("pendingStops")) {
                        return List.of();
                    }
                    try {
                        return method.invoke(repository, arguments);
                    } catch (InvocationTargetException e) {
                        throw Objects.requireNonNull(e.getCause());
                    }
                });
    }

    private static void assertStopped(RunningJob run) throws InterruptedException {
        assertThat(run.await(LONG))
                .get()
                .isInstanceOfSatisfying(
                        RunOutcome.Ended.class,
                        ended -> assertThat(ended.execution().status()).isEqualTo(BatchStatus.STOPPED));
    }

    @Test
    void stop_ofAnotherProcess_isPushed() throws Exception {
        try (var repository = PostgresRepository.open(settings);
                var node = NodeRuntime.on(withoutPoll(repository)).start()) {
            var run = launched(node);
            assertThat(repository.push()).isEqualTo(new PushState.On());

            requestStop(run);

            assertStopped(run);
        }
    }

    /** What was said while the control connection was away is looked for when it is back. */
    @Test
    void stop_requestedWhileTheControlConnectionIsAway_isPushedAfterwards() throws Exception {
        try (var proxy = CutProxy.start(EmbeddedDatabase.port());
                var repository = PostgresRepository.open(settings.withControlUrl(throughProxy(proxy)));
                var node = NodeRuntime.on(withoutPoll(repository)).start()) {
            var run = launched(node);
            proxy.goAway();
            while (repository.push().isOn()) {
                Thread.onSpinWait();
            }
            requestStop(run);
            proxy.comeBack();

            assertStopped(run);
            assertThat(repository.push()).isEqualTo(new PushState.On());
        }
    }

    @Test
    void stop_behindAPooler_isFoundByThePoll() throws Exception {
        try (var pooler = CutProxy.start(EmbeddedDatabase.port())) {
            pooler.deafen();
            try (var repository = PostgresRepository.open(settings.withControlUrl(throughProxy(pooler)));
                    var node = NodeRuntime.on(repository)
                            .settings(NodeSettings.DEFAULT.withPoll(Duration.ofMillis(200)))
                            .start()) {
                var run = launched(node);
                assertThat(repository.push())
                        .isInstanceOfSatisfying(
                                PushState.Off.class,
                                off -> assertThat(off.why()).contains("control URL"));

                requestStop(run);

                assertStopped(run);
            }
        }
    }

    @Test
    void push_ofAProcessThatIsNoNode_isTestedOnRequest() {
        try (var pooler = CutProxy.start(EmbeddedDatabase.port());
                var direct = PostgresRepository.open(settings);
                var pooled = PostgresRepository.open(settings.withControlUrl(throughProxy(pooler)))) {
            pooler.deafen();

            assertThat(direct.push()).isEqualTo(new PushState.On());
            assertThat(pooled.push().isOn()).isFalse();
        }
    }
}
