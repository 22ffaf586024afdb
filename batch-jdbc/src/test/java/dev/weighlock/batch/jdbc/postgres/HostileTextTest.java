package dev.weighlock.batch.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.JobParameters;
import dev.weighlock.batch.ParameterValue;
import dev.weighlock.batch.flow.Job;
import dev.weighlock.batch.flow.TaskletStep;
import dev.weighlock.batch.launch.LaunchOptions;
import dev.weighlock.batch.launch.LaunchResult;
import dev.weighlock.batch.launch.NodeRuntime;
import dev.weighlock.batch.run.RunOutcome;
import dev.weighlock.batch.tasklet.TaskletOutcome;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** Text that no database stores as it is, where users put it: it never decides how a job ends. */
class HostileTextTest {
    private static final Logger TOLD = (Logger) LoggerFactory.getLogger("dev.weighlock.batch.run.Diagnostics");

    private final TestStore store = TestStore.onNewest();

    /** The log would repeat each megabyte. */
    @BeforeEach
    void silence() {
        TOLD.setLevel(Level.OFF);
    }

    @AfterEach
    void close() {
        TOLD.setLevel(null);
        store.close();
    }

    private static JobExecution run(NodeRuntime node, Job job, JobParameters parameters) throws InterruptedException {
        var options = LaunchOptions.DEFAULT.withCallerThread().withActor("a\0ctor \uD83D");
        var run = ((LaunchResult.Launched) node.launcher().launch(job, parameters, options)).run();
        return ((RunOutcome.Ended) run.await()).execution();
    }

    @ParameterizedTest
    @ValueSource(strings = {"NUL \0 inside", "half a character \uD83D", "the other half \uDEA4 of it", "\0"})
    void error_withThatText_isAFailureAndNothingElse(String text) throws Exception {
        var message = text + "x".repeat(1 << 20) + text;
        var job = Job.named("hostile")
                .step(TaskletStep.of("fail", context -> {
                    throw new IllegalStateException(message);
                }))
                .build();
        try (var repository = store.open();
                var node = NodeRuntime.on(repository).start()) {
            var failed = run(node, job, JobParameters.NONE);

            assertThat(failed.status()).isEqualTo(BatchStatus.FAILED);
            assertThat(repository.steps(failed.id()).getFirst().status()).isEqualTo(BatchStatus.FAILED);
            assertThat(run(node, job, JobParameters.NONE).attempt()).isEqualTo(2);
        }
    }

    @Test
    void parametersAndContext_withThatText_endNothingAndKeepTheInstance() throws Exception {
        var parameters = JobParameters.NONE.with("text", new ParameterValue.StringValue("half \uD83D"));
        var job = Job.named("hostile")
                .step(TaskletStep.of("keep", context -> {
                    context.put("kept", "NUL \0");
                    return TaskletOutcome.COMPLETED;
                }))
                .build();
        try (var repository = store.open();
                var node = NodeRuntime.on(repository).start()) {
            var completed = run(node, job, parameters);

            assertThat(completed.status()).isEqualTo(BatchStatus.COMPLETED);
            assertThat(repository.steps(completed.id()).getFirst().context().string("kept"))
                    .contains("NUL \0");
            assertThat(node.launcher().launch(job, parameters)).isInstanceOf(LaunchResult.AlreadyComplete.class);
            repository.requestStop(completed.id(), OptionalLong.empty(), "a\0ctor");
        }
    }
}
