package dev.weighlock.batch.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.JobParameters;
import dev.weighlock.batch.StepExecution;
import dev.weighlock.batch.flow.Job;
import dev.weighlock.batch.launch.LaunchOptions;
import dev.weighlock.batch.launch.LaunchResult;
import dev.weighlock.batch.launch.NodeRuntime;
import dev.weighlock.batch.repository.InMemoryJobRepository;
import dev.weighlock.batch.repository.LaunchDecision;
import dev.weighlock.batch.repository.LaunchRequest;
import dev.weighlock.batch.repository.NodeInfo;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;

/** A node on a repository in memory, for one test. */
final class TestNode implements AutoCloseable {
    static final Duration LONG = Duration.ofMinutes(5);

    final InMemoryJobRepository repository = new InMemoryJobRepository();
    final List<ProgressEvent> events = new CopyOnWriteArrayList<>();
    final NodeRuntime runtime;

    TestNode() {
        runtime = NodeRuntime.on(repository).progress(events::add).start();
    }

    RunningJob launch(Job job) {
        return launch(job, JobParameters.NONE);
    }

    RunningJob launch(Job job, JobParameters parameters) {
        var result = runtime.launcher().launch(job, parameters);
        assertThat(result).isInstanceOf(LaunchResult.Launched.class);
        return ((LaunchResult.Launched) result).run();
    }

    /** An execution that another node begins and nobody runs, as a crash leaves it. */
    JobExecution launchRowOnly(Job job) {
        var elsewhere = new NodeInfo("elsewhere", "other-host", 1);
        repository.register(elsewhere);
        var last = repository
                .instance(job.name(), JobParameters.NONE.identity())
                .flatMap(instance -> repository.lastExecution(instance.id()));
        var request = new LaunchRequest(
                job.name(),
                JobParameters.NONE,
                job.definition(),
                job.fingerprint(),
                last.map(execution -> OptionalLong.of(execution.id())).orElse(OptionalLong.empty()),
                elsewhere.id(),
                List.of());
        return ((LaunchDecision.Created) repository.createExecution(request)).execution();
    }

    /** Runs the job to its end. */
    JobExecution run(Job job) throws InterruptedException {
        return ended(launch(job));
    }

    JobExecution run(Job job, LaunchOptions options) throws InterruptedException {
        var result = runtime.launcher().launch(job, JobParameters.NONE, options);
        assertThat(result).isInstanceOf(LaunchResult.Launched.class);
        return ended(((LaunchResult.Launched) result).run());
    }

    static JobExecution ended(RunningJob run) throws InterruptedException {
        var outcome = run.await(LONG).orElseThrow();
        assertThat(outcome).isInstanceOf(RunOutcome.Ended.class);
        return ((RunOutcome.Ended) outcome).execution();
    }

    JobExecution run(Job job, BatchStatus expected) throws InterruptedException {
        var ended = run(job);
        assertThat(ended.status()).as("diagnostics %s", ended.diagnostics()).isEqualTo(expected);
        return ended;
    }

    StepExecution step(JobExecution execution, String name) {
        return repository.steps(execution.id()).stream()
                .filter(step -> step.name().value().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Override
    public void close() {
        runtime.close();
    }
}
