package dev.weighlock.batch.run;

import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.FailureCategory;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.StepCounts;
import dev.weighlock.batch.StepExecution;
import dev.weighlock.batch.flow.Job;
import dev.weighlock.batch.repository.JobRepository;
import dev.weighlock.batch.shutdown.OwnedTask;
import dev.weighlock.batch.shutdown.TaskPhase;
import dev.weighlock.batch.step.JobListener;
import dev.weighlock.batch.stop.StopSource;
import dev.weighlock.batch.stop.StopToken;
import dev.weighlock.batch.testing.CrashPoint;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * One execution from STARTING to its end. {@link #run} is called once, on a platform thread.
 *
 * <p>A stop comes from any thread and is worked off on a thread of its own: first STOPPING is stored, then the token
 * fires, so that whoever sees work end because of a stop can see the stop.
 */
public final class JobRun implements RunningJob {
    /** The key under which the id of the execution stands in the logging context of all its threads. */
    public static final String LOG_KEY = "weighlock.execution";

    private static final Logger LOG = LoggerFactory.getLogger(JobRun.class);
    private static final String CALLER = "the caller of the launch";

    private final RunEnvironment environment;
    private final Job job;
    private final Optional<StepExecution> begun;
    private final Hold hold;
    private final JobRow row;
    private final Secrets secrets;
    private final Diagnostics diagnostics;
    private final StopSource stop = new StopSource();
    private final AtomicBoolean stopAsked = new AtomicBoolean();
    private final CountDownLatch over = new CountDownLatch(1);
    private volatile @Nullable RunOutcome outcome;

    /** @param begun the first step, where it began with the execution */
    public JobRun(
            RunEnvironment environment, Job job, JobExecution created, Optional<StepExecution> begun, Secrets secrets) {
        this.environment = environment;
        this.job = job;
        this.begun = begun;
        this.hold = new Hold(environment.repository());
        this.row = new JobRow(environment.repository(), hold, created);
        this.secrets = secrets;
        this.diagnostics = new Diagnostics(secrets, "execution " + created.id() + " of \"" + job.name() + "\"");
    }

    JobRepository repository() {
        return environment.repository();
    }

    Hold hold() {
        return hold;
    }

    JobRow row() {
        return row;
    }

    Secrets secrets() {
        return secrets;
    }

    Diagnostics diagnostics() {
        return diagnostics;
    }

    /** Whether somebody is told when the job itself begins and ends. */
    boolean isHeard() {
        return !job.listeners().isEmpty();
    }

    void tell(ProgressEvent event) {
        environment.tell(event);
    }

    void chunkCommitted(WorkRow work, StepCounts counts) {
        tell(new ProgressEvent.ChunkCommitted(executionId(), work.stepExecutionId(), work.partition(), counts));
    }

    @Override
    public long executionId() {
        return row.current().id();
    }

    @Override
    public JobExecution execution() {
        return row.current();
    }

    @Override
    public void stop() {
        stop("the process that runs it");
    }

    /**
     * Stops without a request in the repository, which this records first.
     *
     * @param actor who asks
     */
    public void stop(String actor) {
        stop(() -> recordRequest(actor));
    }

    /** A stop was requested in the repository. */
    public void stopRequested() {
        stop(() -> {});
    }

    private void stop(Runnable before) {
        if (stopAsked.compareAndSet(false, true)) {
            try {
                spawn(TaskPhase.FLOW_DECISION, task -> {
                    before.run();
                    seeStop();
                });
            } catch (RuntimeException | Error e) {
                // No thread to be had: whoever asks next finds it not asked yet.
                stopAsked.set(false);
                throw e;
            }
        }
    }

    /** So that the instant of the request is on record, whoever asked. One made before stays. */
    private void recordRequest(String actor) {
        try {
            repository().requestStop(executionId(), OptionalLong.empty(), actor);
        } catch (RuntimeException e) {
            LOG.warn("the stop of execution {} could not be recorded; it stops all the same", executionId(), e);
        }
    }

    /**
     * Ends the run without storing anything more: its node may not own it any longer. Returns at once; what runs is told
     * to stop.
     *
     * @param why for people
     */
    public void letGo(String why) {
        hold.letGo(why);
        try {
            spawn(TaskPhase.FLOW_DECISION, task -> stop.stop());
        } catch (RejectedExecutionException | OutOfMemoryError e) {
            LOG.warn("no thread tells execution {} to stop: it is told by the one that let it go", executionId(), e);
            stop.stop();
        }
    }

    /** Runs a part of this run on a thread of its own. */
    void spawn(TaskPhase phase, Consumer<OwnedTask> body) {
        environment.tasks().spawnChild(phase, task -> {
            try (var _ = logged()) {
                body.accept(task);
            }
        });
    }

    private MDC.MDCCloseable logged() {
        return MDC.putCloseable(LOG_KEY, Long.toString(executionId()));
    }

    private void seeStop() {
        try {
            if (row.stopSeen()) {
                CrashPoint.reach("job.stopping");
                tell(new ProgressEvent.StopSeen(row.current()));
            }
        } catch (RuntimeException e) {
            LOG.warn("execution {} could not be marked STOPPING; it stops all the same", executionId(), e);
        } finally {
            stop.stop();
        }
    }

    /** Runs the job to its end on this thread. Never throws: the outcome tells. */
    public void run(OwnedTask task, StopToken callers) {
        try (var _ = logged();
                var _ = callers.onStop(() -> stop(CALLER))) {
            outcome = new RunOutcome.Ended(execute(task, callers));
        } catch (LostExecution e) {
            LOG.warn("execution {} is given up: {}", executionId(), e.getMessage());
            outcome = new RunOutcome.GivenUp(row.current(), String.valueOf(e.getMessage()));
        } catch (Throwable e) {
            outcome = broken(e);
        } finally {
            stop.close();
            over.countDown();
        }
    }

    private JobExecution execute(OwnedTask task, StopToken callers) {
        if (callers.isStopRequested()) {
            recordRequest(CALLER);
            seeStop();
        }
        if (!row.start() && begun.isEmpty()) {
            return ended(JobEnd.STOPPED);
        }
        CrashPoint.reach("job.started");
        tell(new ProgressEvent.JobBegan(row.current()));
        var context = new RunningContext(this, stop.token());
        var listeners = new Listeners<>(job.listeners(), diagnostics);
        var end = walk(context, listeners, task);
        listeners.after("afterJob", listener -> listener.afterJob(context, preview(end)));
        return ended(end);
    }

    private JobEnd walk(RunningContext context, Listeners<JobListener> listeners, OwnedTask task) {
        try {
            listeners.before(listener -> listener.beforeJob(context));
        } catch (Exception e) {
            return JobEnd.failed(diagnostics.failed(e), Optional.empty());
        }
        return new FlowWalk(this, job.flow(), stop.token(), task, begun).walk();
    }

    private JobExecution preview(JobEnd end) {
        var settled = row.settle(end);
        var e = row.current();
        return new JobExecution(
                e.id(),
                e.instance(),
                e.attempt(),
                e.parameters(),
                e.definitionDigest(),
                e.fingerprint(),
                settled.status(),
                settled.exitStatus(),
                e.version(),
                e.epoch(),
                e.ownerNode(),
                e.context(),
                e.stop(),
                e.createdAt(),
                e.startedAt(),
                Optional.empty(),
                settled.failure(),
                settled.diagnostics());
    }

    /** The write that ended the last step may have ended the job too. */
    private JobExecution ended(JobEnd end) {
        var execution = row.current().status().isActive() ? end(end) : row.current();
        CrashPoint.reach("job.finished");
        tell(new ProgressEvent.JobEnded(execution));
        return execution;
    }

    private JobExecution end(JobEnd end) {
        CrashPoint.reach("job.finishing");
        end.diagnostics().ifPresent(diagnostics::add);
        return row.end(end.withDiagnostics(diagnostics.text()));
    }

    /** An invariant of the runtime did not hold: FAILED, where that can still be stored. */
    private RunOutcome broken(Throwable cause) {
        var failure = diagnostics.failed(FailureCategory.INTERNAL, cause);
        try {
            if (row.current().status().canBecome(BatchStatus.FAILED)) {
                return new RunOutcome.Ended(ended(JobEnd.failed(failure, Optional.empty())));
            }
        } catch (RuntimeException e) {
            LOG.error("the failure of execution {} could not be stored", executionId(), e);
        }
        return new RunOutcome.GivenUp(row.current(), "an internal failure, logged as " + failure.id());
    }

    /** Empty as long as the run goes on. */
    public Optional<RunOutcome> outcome() {
        return Optional.ofNullable(outcome);
    }

    @Override
    public RunOutcome await() throws InterruptedException {
        over.await();
        return Objects.requireNonNull(outcome);
    }

    @Override
    public Optional<RunOutcome> await(Duration atMost) throws InterruptedException {
        return over.await(atMost.toNanos(), TimeUnit.NANOSECONDS) ? Optional.ofNullable(outcome) : Optional.empty();
    }
}
