package dev.weighlock.bench.postgres;

import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.ExecutionContext;
import dev.weighlock.batch.JobParameters;
import dev.weighlock.batch.ParameterValue.LongValue;
import dev.weighlock.batch.chunk.Delivery;
import dev.weighlock.batch.chunk.ItemReader;
import dev.weighlock.batch.flow.ChunkStep;
import dev.weighlock.batch.flow.Job;
import dev.weighlock.batch.flow.TaskletStep;
import dev.weighlock.batch.jdbc.postgres.PostgresRepository;
import dev.weighlock.batch.jdbc.postgres.PostgresSchema;
import dev.weighlock.batch.jdbc.postgres.PostgresSettings;
import dev.weighlock.batch.launch.LaunchOptions;
import dev.weighlock.batch.launch.LaunchResult;
import dev.weighlock.batch.launch.NodeRuntime;
import dev.weighlock.batch.partition.OnFailure;
import dev.weighlock.batch.partition.Partitioning;
import dev.weighlock.batch.step.StepContext;
import dev.weighlock.batch.tasklet.Tasklet;
import dev.weighlock.batch.tasklet.TaskletOutcome;
import dev.weighlock.bench.postgres.ByHand.Tables;
import dev.weighlock.jobs.csv.CsvRow;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** This runtime on its reference repository; rows go to the repository's own database. */
final class Weighlock implements Contender {
    private static final LaunchOptions HERE = LaunchOptions.DEFAULT.withCallerThread();

    private static final Duration LONGEST = Duration.ofSeconds(30);

    private final PostgresRepository repository;
    private final NodeRuntime node;

    Weighlock(Place place) {
        PostgresSettings settings = settings(place);
        new PostgresSchema(settings).migrate();
        repository = PostgresRepository.open(settings);
        node = NodeRuntime.on(repository).start();
    }

    static PostgresSettings settings(Place place) {
        return PostgresSettings.of(place.url(), () -> Optional.of(Place.USER), () -> Optional.of("any"))
                .withPoolSize(place.pool())
                .withLockFolder(place.locks());
    }

    @Override
    public double[] jobs(int count) {
        Job job = Job.named("noop")
                .step(TaskletStep.of("nothing", step -> TaskletOutcome.COMPLETED))
                .build();
        double[] seconds = new double[count];
        for (int i = 0; i < count; i++) {
            long begun = System.nanoTime();
            run(job);
            seconds[i] = (System.nanoTime() - begun) / 1e9;
        }
        return seconds;
    }

    private void run(Job job) {
        run(job, JobParameters.NONE.with("n", new LongValue(INSTANCES.incrementAndGet())), BatchStatus.COMPLETED);
    }

    private void run(Job job, JobParameters parameters, BatchStatus expected) {
        if (!(node.launcher().launch(job, parameters, HERE) instanceof LaunchResult.Launched(var run))
                || run.execution().status() != expected) {
            throw new IllegalStateException("the job " + job.name() + " did not become " + expected);
        }
    }

    @Override
    public void items(long count, int chunk, boolean copying) {
        run(itemJob(count, chunk, copying));
    }

    private static Job itemJob(long count, int chunk, boolean copying) {
        return Job.named("items")
                .step(ChunkStep.<Item>copying("copy", step -> new Numbered(count), step -> Tables.items(copying))
                        .size(chunk)
                        .readAhead(true)
                        .delivery(Delivery.sameResource())
                        .build())
                .build();
    }

    /** The same as one instance, whoever begins it or goes on with it. */
    void itemsAgain(long count, int chunk) {
        run(itemJob(count, chunk, false), JobParameters.NONE, BatchStatus.COMPLETED);
    }

    /** Jobs that are stopped as soon as they work. */
    void stops(int count) throws InterruptedException {
        for (int i = 0; i < count; i++) {
            CountDownLatch working = new CountDownLatch(1);
            Job job = Job.named("stopped")
                    .step(TaskletStep.of("waiting", step -> {
                        working.countDown();
                        return step.stopToken().await(LONGEST) ? TaskletOutcome.STOPPED : TaskletOutcome.COMPLETED;
                    }))
                    .build();
            JobParameters parameters = JobParameters.NONE.with("n", new LongValue(INSTANCES.incrementAndGet()));
            if (!(node.launcher().launch(job, parameters, LaunchOptions.DEFAULT)
                    instanceof LaunchResult.Launched(var run))) {
                throw new IllegalStateException("the job was not launched");
            }
            working.await();
            node.operator().stop(run.executionId(), "bench");
            run.await();
        }
    }

    @Override
    public double[] leftOver(int count) {
        AtomicBoolean failing = new AtomicBoolean(true);
        AtomicLong firstAt = new AtomicLong();
        Tasklet body = step -> {
            if (failing.get() && step.partition().orElseThrow().ordinal() < LEFT) {
                throw new IllegalStateException("left for the restart");
            }
            firstAt.compareAndSet(0, System.nanoTime());
            return TaskletOutcome.COMPLETED;
        };
        var keys = IntStream.range(0, count).mapToObj(i -> "key-" + i).toList();
        Job job = Job.named("left")
                .step(TaskletStep.named("p", body)
                        .partitioned(Partitioning.keys(keys).withWorkers(8).withOnFailure(OnFailure.DRAIN))
                        .build())
                .build();
        JobParameters parameters = JobParameters.NONE.with("n", new LongValue(INSTANCES.incrementAndGet()));
        run(job, parameters, BatchStatus.FAILED);
        failing.set(false);
        firstAt.set(0);
        long begun = System.nanoTime();
        run(job, parameters, BatchStatus.COMPLETED);
        return new double[] {(firstAt.get() - begun) / 1e9, (System.nanoTime() - begun) / 1e9};
    }

    @Override
    public void records(Path csv, int chunk) {
        run(Job.named("records")
                .step(ChunkStep.<CsvRow>copying("load", step -> Sales.reader(csv), step -> Tables.sales())
                        .size(chunk)
                        .readAhead(true)
                        .delivery(Delivery.sameResource())
                        .build())
                .build());
    }

    @Override
    public void partitions(int count, int workers, boolean writing) {
        Tasklet body = writing
                ? step -> {
                    step.enlist(connection -> {
                        try (var statement = connection.createStatement()) {
                            statement.executeUpdate(Tables.WRITE);
                        }
                    });
                    return TaskletOutcome.COMPLETED;
                }
                : step -> TaskletOutcome.COMPLETED;
        var keys = IntStream.range(0, count).mapToObj(i -> "key-" + i).toList();
        run(Job.named("partitions")
                .step(TaskletStep.named("p", body)
                        .partitioned(Partitioning.keys(keys).withWorkers(workers))
                        .build())
                .build());
    }

    @Override
    public void close() {
        try (repository;
                node) {
            // In reverse order.
        }
    }

    /** Items up to a count, from the stored position on. */
    static final class Numbered implements ItemReader<Item> {
        private final long count;
        private long position;

        Numbered(long count) {
            this.count = count;
        }

        @Override
        public void open(ExecutionContext context, StepContext step) {
            position = context.longValue("position", 0);
        }

        @Override
        public @Nullable Item read() {
            return position == count ? null : Item.of(position++);
        }

        @Override
        public ExecutionContext update(ExecutionContext context) {
            return context.with("position", position);
        }
    }
}
