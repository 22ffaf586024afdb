package dev.weighlock.app.prove.cancellation;

import dev.weighlock.app.exit.CommandFailure;
import dev.weighlock.app.exit.ExitCode;
import dev.weighlock.app.prove.stand.Findings;
import dev.weighlock.app.prove.stand.Seen;
import dev.weighlock.app.prove.stand.Stand;
import dev.weighlock.app.prove.stand.Watcher;
import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.JobParameters;
import dev.weighlock.batch.flow.Job;
import dev.weighlock.batch.launch.LaunchResult;
import dev.weighlock.batch.launch.NodeRuntime;
import dev.weighlock.batch.launch.NodeSettings;
import dev.weighlock.batch.operate.JobOperator;
import dev.weighlock.batch.repository.JobRepository;
import dev.weighlock.batch.repository.RepositoryHealth;
import dev.weighlock.batch.repository.StopDecision;
import dev.weighlock.batch.run.RunningJob;
import dev.weighlock.batch.shutdown.DrainResult;
import dev.weighlock.batch.shutdown.ShutdownHooks;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One job of a report with everything around it: the node that runs it, the operator with connections of his own, and the
 * watcher. For one thread; closing ends them, and a node or repository that does not end in order is a finding.
 */
final class Scene implements AutoCloseable {
    static final String ACTOR = "operator:weighlock-prove";

    /** How long a stopped body waits at most until somebody outside saw the stop. */
    private static final Duration COURTESY = Duration.ofSeconds(5);

    /** How long the watcher looks on after the end. */
    private static final Duration AFTERWARDS = Duration.ofMillis(300);

    private final Stand stand;
    private final Shape shape;
    private final Findings findings;
    private final Workers workers;
    private final Job job;
    private final Watcher watcher;
    private final JobRepository operated;
    private final RepositoryHealth.Push push;
    private final NodeRuntime node;

    Scene(Stand stand, Shape shape, Findings findings, Seams seams, String name, Phase phase, @Nullable Gate gate)
            throws IOException, InterruptedException {
        this.stand = stand;
        this.shape = shape;
        this.findings = findings;
        this.workers = new Workers(stand, shape, phase, gate, this::awaitStopping, seams);
        this.job = workers.job(stand.job(name));
        try (Unwinding opened = new Unwinding()) {
            this.watcher = opened.add(stand.watch(job.name().value()));
            this.operated = opened.add(stand.target().open(2));
            JobRepository repository = opened.add(stand.target().open(shape.pool()));
            this.node = stand.node(repository)
                    .settings(NodeSettings.DEFAULT.withPoll(shape.poll()))
                    .hooks(ShutdownHooks.NONE.withCloseRepository(repository::close))
                    .start();
            this.push = repository.health().push();
            opened.keep();
        }
    }

    Occupancy occupancy() {
        return workers.occupancy();
    }

    /** Whether a stop request reaches the owner at once. */
    RepositoryHealth.Push push() {
        return push;
    }

    /** Ends the watching; all that was seen. */
    List<Seen> watched() throws IOException {
        watcher.close();
        return watcher.seen();
    }

    /** Who watched, and how often he looked. */
    Map<String, Object> watcher() {
        return watcher.floor();
    }

    /** Starts the job, or restarts it. */
    RunningJob launch() {
        LaunchResult result = node.launcher().launch(job, JobParameters.NONE);
        if (result instanceof LaunchResult.Launched(RunningJob run)) {
            return run;
        }
        throw new CommandFailure(
                ExitCode.FAILED,
                "the job " + job.name() + " was not launched: "
                        + result.getClass().getSimpleName());
    }

    /** Waits until something is committed that a stop must preserve. */
    void awaitCommitted(RunningJob run) throws InterruptedException {
        boolean committed = watcher.await(
                        seen -> seen.execution() == run.executionId() && seen.committed() > 0, shape.limit())
                .isPresent();
        if (!committed) {
            throw new CommandFailure(
                    ExitCode.FAILED,
                    "no partition was seen committed within " + shape.limit()
                            + ": a stop would have had nothing to preserve");
        }
    }

    /** What was asked and when, before the request was sent: what comes of it may be seen before its answer is. */
    record Request(Instant sentAt, long expectedVersion, boolean accepted) {}

    /** The stop of an operator: compare-and-set, through connections of its own. */
    Request requestStop(RunningJob run) {
        JobOperator operator = new JobOperator(operated);
        long version = operated.execution(run.executionId()).orElseThrow().version();
        Instant sentAt = Instant.now();
        StopDecision decision = operator.stop(run.executionId(), version, ACTOR);
        return new Request(sentAt, version, decision instanceof StopDecision.Requested);
    }

    /** Waits until the execution's end was seen, and a moment longer for what should not follow. */
    void awaitEnd(RunningJob run) throws InterruptedException {
        watcher.await(
                seen -> seen.execution() == run.executionId() && !seen.status().isActive(), shape.limit());
        watcher.await(seen -> false, AFTERWARDS);
        if (run.await(shape.limit()).isEmpty()) {
            findings.violation("the run of execution " + run.executionId() + " did not end within " + shape.limit());
        }
    }

    Recorded recorded(RunningJob run) throws SQLException {
        return Recorded.read(operated, stand.bodies(), run.executionId());
    }

    JobExecution execution(RunningJob run) {
        return operated.execution(run.executionId()).orElseThrow();
    }

    /** Waits a moment for somebody outside to see that it stops; whether he did is judged by what he saw. */
    void awaitStopping(long execution) throws InterruptedException {
        watcher.await(
                (Seen seen) -> seen.execution() == execution
                        && (seen.status() == BatchStatus.STOPPING
                                || !seen.status().isActive()),
                COURTESY);
    }

    /** A pool that does not close has found work that outlived its owner. */
    @Override
    public void close() throws IOException {
        try (watcher;
                operated) {
            var ended = node.shutdown();
            if (!(ended.drained().tasks() instanceof DrainResult.Complete(int panicked)) || panicked > 0) {
                findings.violation("the node of " + job.name() + " did not drain: " + ended.drained());
            }
            ended.hooks().stream()
                    .filter(hook -> hook.status() != ShutdownHooks.Status.COMPLETED)
                    .forEach(hook -> findings.violation("ending the node of " + job.name() + ", " + hook.kind() + " "
                            + hook.status() + ": " + hook.problem()));
        }
    }
}
