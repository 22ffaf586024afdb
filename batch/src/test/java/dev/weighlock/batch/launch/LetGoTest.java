package dev.weighlock.batch.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;
import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.FailureCategory;
import dev.weighlock.batch.JobParameters;
import dev.weighlock.batch.PartitionStatus;
import dev.weighlock.batch.flow.Job;
import dev.weighlock.batch.flow.TaskletStep;
import dev.weighlock.batch.partition.Partitioning;
import dev.weighlock.batch.repository.InMemoryJobRepository;
import dev.weighlock.batch.repository.JobRepository;
import dev.weighlock.batch.run.RunOutcome;
import dev.weighlock.batch.tasklet.TaskletOutcome;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class LetGoTest {
    private static final Set<String> WRITES = Set.of("update", "updateAndClaim", "end");

    private final InMemoryJobRepository stored = new InMemoryJobRepository();
    private final AtomicBoolean broken = new AtomicBoolean();

    /** A repository whose writes get no answer while it is broken. */
    private JobRepository flaky() {
        return (JobRepository) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {JobRepository.class}, (proxy, method, arguments) -> {
                    if (broken.get() && WRITES.contains(method.getName())) {
                        throw new BatchException(BatchError.COMMIT_OUTCOME_UNKNOWN, "no answer");
                    }
                    try {
                        return method.invoke(stored, arguments);
                    } catch (InvocationTargetException e) {
                        throw Objects.requireNonNull(e.getCause());
                    }
                });
    }

    @Test
    void runThatWasLetGo_whenTheRepositoryAnswersAgain_becomesFailedAndCanBeRestarted() throws Exception {
        var job = Job.named("job")
                .step(TaskletStep.named("p", context -> {
                            broken.set(context.jobAttempt() == 1);
                            return TaskletOutcome.COMPLETED;
                        })
                        .partitioned(Partitioning.keys(List.of("a", "b", "c")).withWorkers(1))
                        .build())
                .build();
        var settings = NodeSettings.DEFAULT.withPoll(Duration.ofMillis(100));
        try (var node = NodeRuntime.on(flaky()).settings(settings).start()) {
            var run = ((LaunchResult.Launched) node.launcher().launch(job, JobParameters.NONE)).run();

            assertThat(run.await(Duration.ofMinutes(5)).orElseThrow()).isInstanceOf(RunOutcome.GivenUp.class);
            assertThat(stored.execution(run.executionId()).orElseThrow().status())
                    .isEqualTo(BatchStatus.STARTED);
            broken.set(false);
            while (stored.execution(run.executionId()).orElseThrow().status().isActive()) {
                Thread.onSpinWait();
            }

            var failed = stored.execution(run.executionId()).orElseThrow();
            assertThat(failed.status()).isEqualTo(BatchStatus.FAILED);
            assertThat(failed.failure().orElseThrow().category()).isEqualTo(FailureCategory.OWNER_LOST);
            var step = stored.steps(failed.id()).getFirst();
            assertThat(step.status()).isEqualTo(BatchStatus.FAILED);
            assertThat(stored.partitions(step.id(), Optional.empty(), 10).items())
                    .noneMatch(row -> row.status() == PartitionStatus.STARTED)
                    .noneMatch(row -> row.status() == PartitionStatus.PLANNED);
            var second = ((LaunchResult.Launched) node.launcher().launch(job, JobParameters.NONE)).run();
            assertThat(second.await(Duration.ofMinutes(5)).orElseThrow())
                    .isInstanceOfSatisfying(
                            RunOutcome.Ended.class,
                            ended -> assertThat(ended.execution().status()).isEqualTo(BatchStatus.COMPLETED));
        }
    }
}
