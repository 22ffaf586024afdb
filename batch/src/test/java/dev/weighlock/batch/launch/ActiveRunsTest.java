package dev.weighlock.batch.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.JobParameters;
import dev.weighlock.batch.ParameterValue.LongValue;
import dev.weighlock.batch.flow.Job;
import dev.weighlock.batch.flow.TaskletStep;
import dev.weighlock.batch.repository.InMemoryJobRepository;
import dev.weighlock.batch.repository.LaunchDecision;
import dev.weighlock.batch.repository.LaunchRequest;
import dev.weighlock.batch.repository.NodeInfo;
import dev.weighlock.batch.run.JobRun;
import dev.weighlock.batch.run.RunEnvironment;
import dev.weighlock.batch.run.RunOutcome;
import dev.weighlock.batch.run.Secrets;
import dev.weighlock.batch.shutdown.OwnedTasks;
import dev.weighlock.batch.shutdown.TaskPhase;
import dev.weighlock.batch.stop.StopSource;
import dev.weighlock.batch.tasklet.TaskletOutcome;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class ActiveRunsTest {
    private static final Duration LONG = Duration.ofMinutes(5);

    private final InMemoryJobRepository repository = new InMemoryJobRepository();
    private final OwnedTasks tasks = new OwnedTasks("active-runs-test", () -> {});
    private final RunEnvironment environment = new RunEnvironment(repository, tasks, event -> {});
    private final CountDownLatch running = new CountDownLatch(2);
    private final Job job = Job.named("job")
            .step(TaskletStep.of("wait", context -> {
                running.countDown();
                return context.stopToken().await(LONG) ? TaskletOutcome.STOPPED : TaskletOutcome.COMPLETED;
            }))
            .build();

    private JobExecution created(long n) {
        var request = new LaunchRequest(
                job.name(),
                JobParameters.NONE.with("n", new LongValue(n)),
                job.definition(),
                job.fingerprint(),
                OptionalLong.empty(),
                "node",
                List.of());
        return ((LaunchDecision.Created) repository.createExecution(request)).execution();
    }

    private JobRun started(long n) {
        var run = new JobRun(environment, job, created(n), Optional.empty(), Secrets.NONE);
        tasks.spawn(TaskPhase.FLOW_DECISION, task -> run.run(task, new StopSource().token()));
        return run;
    }

    /** As when the machine has no thread left, which is when nodes lapse. */
    @Test
    void letGoAll_withoutAThreadToTell_tellsAllTheSame() throws Exception {
        repository.register(new NodeInfo("node", "host", 1));
        var runs = new ActiveRuns();
        var both = List.of(started(1), started(2));
        both.forEach(runs::add);
        running.await();
        tasks.close();

        runs.letGoAll("not renewed");

        for (var run : both) {
            assertThat(run.await(LONG).orElseThrow())
                    .isInstanceOfSatisfying(
                            RunOutcome.GivenUp.class,
                            given -> assertThat(given.reason()).isEqualTo("not renewed"));
        }
    }
}
