package dev.weighlock.batch.jdbc.partition;

import dev.weighlock.batch.ExecutionContext;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.JobParameters;
import dev.weighlock.batch.PartitionStatus;
import dev.weighlock.batch.flow.Job;
import dev.weighlock.batch.flow.TaskletStep;
import dev.weighlock.batch.jdbc.sqlite.SqliteRepository;
import dev.weighlock.batch.launch.LaunchResult;
import dev.weighlock.batch.launch.NodeRuntime;
import dev.weighlock.batch.partition.OnFailure;
import dev.weighlock.batch.partition.Partitioning;
import dev.weighlock.batch.repository.PlannedPartition;
import dev.weighlock.batch.run.RunOutcome;
import dev.weighlock.batch.run.RunningJob;
import dev.weighlock.batch.step.StepContext;
import dev.weighlock.batch.tasklet.TaskletOutcome;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/**
 * A job of many partitions in a small JVM: stopped at half, restarted with three that fail, restarted again. Prints one
 * line an attempt: {@code NAME status ran=N statements=N stopping=N used=MiB byStatus}.
 *
 * <p>Arguments: the repository's file, the number of partitions, the workers.
 */
final class ManyPartitions {
    private static final Set<Integer> FAILING = Set.of(0, 1, 2);

    private final int partitions;
    private final int workers;
    private final AtomicInteger ran = new AtomicInteger();
    private final CountDownLatch half = new CountDownLatch(1);
    private volatile boolean stopping = true;
    private volatile boolean failing;

    private ManyPartitions(int partitions, int workers) {
        this.partitions = partitions;
        this.workers = workers;
    }

    public static void main(String[] arguments) throws Exception {
        ManyPartitions many = new ManyPartitions(Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2]));
        try (DriverStatements statements = DriverStatements.count();
                SqliteRepository repository = SqliteRepository.open(Path.of(arguments[0]));
                NodeRuntime node = NodeRuntime.on(repository).start()) {
            many.run(repository, node, statements);
        }
    }

    private void run(SqliteRepository repository, NodeRuntime node, DriverStatements statements) throws Exception {
        attempt("stopped", repository, node, statements, true);
        stopping = false;
        failing = true;
        attempt("failed", repository, node, statements, false);
        failing = false;
        attempt("completed", repository, node, statements, false);
    }

    private void attempt(
            String name, SqliteRepository repository, NodeRuntime node, DriverStatements statements, boolean stop)
            throws InterruptedException {
        ran.set(0);
        long before = statements.all();
        long stopsBefore = statements.stopping();
        RunningJob run = ((LaunchResult.Launched) node.launcher().launch(job(), JobParameters.NONE)).run();
        if (stop) {
            half.await();
            node.operator().stop(run.executionId(), "test");
        }
        JobExecution ended = ((RunOutcome.Ended) run.await()).execution();
        long made = statements.all() - before;
        Map<PartitionStatus, Long> byStatus =
                repository.totals(repository.steps(ended.id()).getFirst()).byStatus();
        System.out.printf(
                "%s %s ran=%d statements=%d stopping=%d used=%d %s%n",
                name, ended.status(), ran.get(), made, statements.stopping() - stopsBefore, usedMib(), byStatus);
    }

    private static long usedMib() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return (runtime.totalMemory() - runtime.freeMemory()) >> 20;
    }

    private Job job() {
        Partitioning by = Partitioning.by("1", this::plan).withWorkers(workers).withOnFailure(OnFailure.DRAIN);
        return Job.named("many")
                .step(TaskletStep.named("p", this::body).partitioned(by).build())
                .build();
    }

    private List<PlannedPartition> plan(StepContext context) {
        return IntStream.range(0, partitions)
                .mapToObj(i -> new PlannedPartition("key-" + i, ExecutionContext.EMPTY.with("i", i)))
                .toList();
    }

    /** The first three wait for the stop, so that they are left for the later attempts. */
    private TaskletOutcome body(StepContext context) throws InterruptedException {
        int ordinal = context.partition().orElseThrow().ordinal();
        if (stopping && FAILING.contains(ordinal)) {
            while (!context.stopToken().await(java.time.Duration.ofSeconds(10))) {}
            return TaskletOutcome.STOPPED;
        }
        if (ran.incrementAndGet() == partitions / 2) {
            half.countDown();
        }
        if (failing && FAILING.contains(ordinal)) {
            throw new IllegalStateException("forced");
        }
        return TaskletOutcome.COMPLETED;
    }
}
