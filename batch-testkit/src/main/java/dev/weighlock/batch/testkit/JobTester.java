package dev.weighlock.batch.testkit;

import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.JobParameters;
import dev.weighlock.batch.StepExecution;
import dev.weighlock.batch.chunk.ItemProcessor;
import dev.weighlock.batch.chunk.ItemReader;
import dev.weighlock.batch.chunk.ItemWriter;
import dev.weighlock.batch.flow.ChunkStep;
import dev.weighlock.batch.flow.Job;
import dev.weighlock.batch.flow.Step;
import dev.weighlock.batch.launch.JobDefinitions;
import dev.weighlock.batch.launch.LaunchOptions;
import dev.weighlock.batch.launch.LaunchResult;
import dev.weighlock.batch.launch.NodeRuntime;
import dev.weighlock.batch.launch.SecretResolver;
import dev.weighlock.batch.repository.InMemoryJobRepository;
import dev.weighlock.batch.repository.JobRepository;
import dev.weighlock.batch.run.ProgressEvent;
import dev.weighlock.batch.run.RunOutcome;
import dev.weighlock.batch.run.RunningJob;
import dev.weighlock.batch.testing.ManualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs jobs and steps in a test, on a repository in memory whose instants come from a clock that the test moves. Running
 * a job again with the same parameters restarts it.
 *
 * <p>For the test's thread. Close it: what still runs is asked to stop and joined.
 */
public final class JobTester implements AutoCloseable {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final Duration LONGEST_RUN = Duration.ofMinutes(2);

    private final ManualClock clock = new ManualClock(START);
    private final JobRepository repository = new InMemoryJobRepository(clock);
    private final List<ProgressEvent> events = new CopyOnWriteArrayList<>();
    private final AtomicInteger components = new AtomicInteger();
    private final NodeRuntime node;

    /** Secrets resolve to their own reference. */
    public JobTester() {
        this(reference -> reference.reference());
    }

    public JobTester(SecretResolver secrets) {
        node = NodeRuntime.on(repository)
                .secrets(secrets)
                .definitions(JobDefinitions.of())
                .progress(events::add)
                .start();
    }

    /** The clock behind the stored instants; it stands still until moved. */
    public ManualClock clock() {
        return clock;
    }

    public JobRepository repository() {
        return repository;
    }

    public NodeRuntime node() {
        return node;
    }

    /** What the runs told so far, in the order told. */
    public List<ProgressEvent> events() {
        return List.copyOf(events);
    }

    public JobExecution run(Job job) {
        return run(job, JobParameters.NONE);
    }

    /** Runs the job to its end on the calling thread, or restarts it. */
    public JobExecution run(Job job, JobParameters parameters) {
        return switch (node.launcher().launch(job, parameters, LaunchOptions.DEFAULT.withCallerThread())) {
            case LaunchResult.Launched(var run) -> ended(run);
            case LaunchResult refused -> throw new AssertionError("the launch was refused: " + refused);
        };
    }

    /** Starts the job and returns at once. */
    public RunningJob start(Job job, JobParameters parameters) {
        return switch (node.launcher().launch(job, parameters)) {
            case LaunchResult.Launched(var run) -> run;
            case LaunchResult refused -> throw new AssertionError("the launch was refused: " + refused);
        };
    }

    /** Waits for the end of a run. */
    public static JobExecution ended(RunningJob run) {
        try {
            return switch (run.await(LONGEST_RUN)
                    .orElseThrow(() -> new AssertionError("execution " + run.executionId() + " did not end"))) {
                case RunOutcome.Ended(var execution) -> execution;
                case RunOutcome.GivenUp(var last, var reason) ->
                    throw new AssertionError("execution " + last.id() + " was given up: " + reason);
            };
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting for execution " + run.executionId(), e);
        }
    }

    /** Runs one step in a job of its own, named {@code test}. */
    public StepExecution runStep(Step step, JobParameters parameters) {
        var execution = run(Job.named("test").step(step).build(), parameters);
        return repository.steps(execution.id()).getLast();
    }

    public StepExecution runStep(Step step) {
        return runStep(step, JobParameters.NONE);
    }

    /** Everything that a reader reads, from its beginning. */
    public <T> List<T> readAll(ItemReader.Factory<? extends T> reader, JobParameters parameters) {
        var read = new ArrayList<T>();
        runComponent(
                ChunkStep.<T>copying("component", reader, step -> (items, chunk) -> read.addAll(items)), parameters);
        return read;
    }

    /** What a processor makes of the items, in their order and without those that it filters out. */
    public <I, O> List<O> process(
            ItemProcessor.Factory<I, O> processor, List<? extends I> items, JobParameters parameters) {
        var results = new ArrayList<O>();
        runComponent(
                ChunkStep.<I, O>processing(
                        "component", step -> reader(items), processor, step -> (some, chunk) -> results.addAll(some)),
                parameters);
        return results;
    }

    /** Gives the items to a writer, in chunks of at most {@code size}. */
    public <T> void write(ItemWriter.Factory<? super T> writer, List<? extends T> items, int size) {
        runComponent(
                ChunkStep.<T>copying("component", step -> reader(items), writer).size(size), JobParameters.NONE);
    }

    private static <T> ItemReader<T> reader(List<? extends T> items) {
        var left = items.iterator();
        return () -> left.hasNext() ? left.next() : null;
    }

    /** Each in a job of its own, so that none is a restart. */
    private void runComponent(ChunkStep.Builder<?, ?> step, JobParameters parameters) {
        var job = Job.named("component-" + components.incrementAndGet())
                .step(step.build())
                .build();
        var ended = run(job, parameters);
        if (ended.status() != BatchStatus.COMPLETED) {
            throw new AssertionError("the component ended " + ended.status() + ": "
                    + ended.diagnostics().orElse("it said nothing"));
        }
    }

    /** The execution's step of this name. */
    public StepExecution step(JobExecution execution, String name) {
        return repository.steps(execution.id()).stream()
                .filter(step -> step.name().value().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("execution " + execution.id() + " has no step " + name));
    }

    @Override
    public void close() {
        node.close();
        repository.close();
    }
}
