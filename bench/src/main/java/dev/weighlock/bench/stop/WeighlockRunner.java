package dev.weighlock.bench.stop;

import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.ExecutionContext;
import dev.weighlock.batch.ExitStatus;
import dev.weighlock.batch.JobParameters;
import dev.weighlock.batch.ParameterValue.LongValue;
import dev.weighlock.batch.chunk.ChunkContext;
import dev.weighlock.batch.chunk.Delivery;
import dev.weighlock.batch.chunk.ItemReader;
import dev.weighlock.batch.chunk.ItemWriter;
import dev.weighlock.batch.flow.ChunkStep;
import dev.weighlock.batch.flow.Job;
import dev.weighlock.batch.flow.TaskletStep;
import dev.weighlock.batch.launch.LaunchOptions;
import dev.weighlock.batch.launch.LaunchResult;
import dev.weighlock.batch.launch.NodeRuntime;
import dev.weighlock.batch.partition.Partitioning;
import dev.weighlock.batch.repository.JobRepository;
import dev.weighlock.batch.step.StepContext;
import dev.weighlock.batch.tasklet.BlockingTasklets;
import dev.weighlock.batch.tasklet.Tasklet;
import dev.weighlock.batch.tasklet.TaskletOutcome;
import java.sql.Connection;
import java.util.List;
import java.util.stream.IntStream;

/** This runtime. */
final class WeighlockRunner implements Runner {
    private static final LaunchOptions HERE = LaunchOptions.DEFAULT.withCallerThread();

    private final Ground ground;
    private final Beats beats;
    private final JobRepository repository;
    private final NodeRuntime node;
    private long instance;

    WeighlockRunner(Ground ground, Beats beats) {
        this.ground = ground;
        this.beats = beats;
        repository = ground.open();
        node = NodeRuntime.on(repository).start();
    }

    @Override
    public void run(Work work, int partitions) {
        Job job = Job.named(work.name())
                .step(work == Work.CHUNKS ? chunks() : partitioned(body(work), partitions))
                .build();
        JobParameters parameters = JobParameters.NONE.with("n", new LongValue(++instance));
        if (!(node.launcher().launch(job, parameters, HERE) instanceof LaunchResult.Launched(var run))
                || run.execution().status() != BatchStatus.STOPPED) {
            throw new IllegalStateException("the job was not stopped");
        }
    }

    private static TaskletStep partitioned(Tasklet body, int partitions) {
        var keys = IntStream.range(0, partitions).mapToObj(i -> "key-" + i).toList();
        return TaskletStep.named("p", body)
                .partitioned(Partitioning.keys(keys).withWorkers(Work.WORKERS))
                .build();
    }

    private Tasklet body(Work work) {
        return switch (work) {
            case ATTENTIVE -> this::attentive;
            case BLOCKING ->
                new BlockingTasklets(Work.WORKERS).adapt(step -> {
                    long until = end();
                    while (System.nanoTime() < until) {
                        beats.beat(key(step));
                        Thread.sleep(Work.SLICE);
                    }
                    return ExitStatus.COMPLETED;
                });
            case TRANSACTION -> this::transaction;
            case CHUNKS -> throw new IllegalArgumentException("no tasklet");
        };
    }

    private static long end() {
        return System.nanoTime() + Work.BODY.toNanos();
    }

    private static String key(StepContext step) {
        return step.partition().orElseThrow().key();
    }

    private TaskletOutcome attentive(StepContext step) throws Exception {
        long until = end();
        while (System.nanoTime() < until) {
            beats.beat(key(step));
            if (step.stopToken().await(Work.SLICE)) {
                return TaskletOutcome.STOPPED;
            }
        }
        return TaskletOutcome.COMPLETED;
    }

    private TaskletOutcome transaction(StepContext step) throws Exception {
        try (var connection = ground.connect()) {
            connection.setAutoCommit(false);
            try (var statement = connection.createStatement()) {
                statement.execute("INSERT INTO public.item (id, name) VALUES (1, 'rolled back')");
                return attentive(step);
            } finally {
                connection.rollback();
            }
        }
    }

    private ChunkStep<Long, Long> chunks() {
        return ChunkStep.<Long>copying("copy", step -> new Slow(), step -> new Rows())
                .size(Work.CHUNK)
                .delivery(Delivery.sameResource())
                .build();
    }

    /** Items without an end, one a slice. */
    private final class Slow implements ItemReader<Long> {
        private long position;

        @Override
        public void open(ExecutionContext context, StepContext step) {
            position = context.longValue("position", 0);
        }

        @Override
        public Long read() throws Exception {
            beats.beat("read");
            Thread.sleep(Work.SLICE);
            return position++;
        }

        @Override
        public ExecutionContext update(ExecutionContext context) {
            return context.with("position", position);
        }
    }

    /** Into the repository's own database. */
    private final class Rows implements ItemWriter<Long> {
        @Override
        public void write(List<Long> chunk, ChunkContext context) throws Exception {
            try (var insert = context.transaction(Connection.class)
                    .prepareStatement("INSERT INTO item (id, name) VALUES (?, 'x')")) {
                for (long item : chunk) {
                    insert.setLong(1, item);
                    insert.addBatch();
                }
                insert.executeBatch();
            }
            beats.beat("written");
        }
    }

    @Override
    public void close() {
        try (repository;
                node) {
            // In reverse order.
        }
    }
}
