package dev.weighlock.bench;

import dev.weighlock.batch.ExecutionContext;
import dev.weighlock.batch.JobParameters;
import dev.weighlock.batch.ParameterValue.LongValue;
import dev.weighlock.batch.chunk.ItemReader;
import dev.weighlock.batch.chunk.ItemWriter;
import dev.weighlock.batch.flow.ChunkStep;
import dev.weighlock.batch.flow.Job;
import dev.weighlock.batch.flow.TaskletStep;
import dev.weighlock.batch.launch.LaunchOptions;
import dev.weighlock.batch.launch.LaunchResult;
import dev.weighlock.batch.launch.NodeRuntime;
import dev.weighlock.batch.repository.InMemoryJobRepository;
import dev.weighlock.batch.step.StepContext;
import dev.weighlock.batch.tasklet.TaskletOutcome;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The batch runtime on the repository in memory. B2: what one run of a job with one tasklet that does nothing costs,
 * with few and with many executions stored. B3: a million items through a chunk step whose writer does nothing, beside a
 * loop written by hand over the same reader and writer, in pairs.
 */
public final class BatchMemory {
    private static final int FEW = 10;
    private static final int MANY = 100_000;
    private static final int LAUNCHES = 2_000;
    private static final long ITEMS = 1_000_000;
    private static final int CHUNK = 1_000;
    private static final int ROUNDS = 11;
    private static final LaunchOptions HERE = LaunchOptions.DEFAULT.withCallerThread();

    private BatchMemory() {}

    public static void main(String[] args) throws Exception {
        Comparison.print(List.of(launches(), chunks()));
    }

    private static Comparison launches() {
        var comparison = new Comparison("B2", "no-op job", "us", "stored " + MANY, "stored " + FEW);
        try (var large = new Store(MANY)) {
            for (int round = -3; round < ROUNDS; round++) {
                double little = withFew();
                double much = large.launch(LAUNCHES);
                if (round >= 0) {
                    comparison.add(much, little);
                }
            }
        }
        return comparison;
    }

    /** New stores all the time, so that what is stored stays little. */
    private static double withFew() {
        double micros = 0;
        int stores = LAUNCHES / 100;
        for (int i = 0; i < stores; i++) {
            try (var store = new Store(FEW)) {
                micros += store.launch(100) / stores;
            }
        }
        return micros;
    }

    /** A node with executions of its own job stored. */
    private static final class Store implements AutoCloseable {
        private final Job job = Job.named("noop")
                .step(TaskletStep.of("nothing", step -> TaskletOutcome.COMPLETED))
                .build();
        private final NodeRuntime node =
                NodeRuntime.on(new InMemoryJobRepository()).start();
        private long launched;

        Store(int stored) {
            launch(stored);
        }

        /** The mean of so many, in microseconds. */
        double launch(int count) {
            long start = System.nanoTime();
            for (int i = 0; i < count; i++) {
                run(node, job, JobParameters.NONE.with("n", new LongValue(launched++)));
            }
            return (System.nanoTime() - start) / 1e3 / count;
        }

        @Override
        public void close() {
            node.close();
        }
    }

    private static void run(NodeRuntime node, Job job, JobParameters parameters) {
        if (!(node.launcher().launch(job, parameters, HERE) instanceof LaunchResult.Launched(var run))
                || !run.execution().status().name().equals("COMPLETED")) {
            throw new IllegalStateException("the job did not complete");
        }
    }

    private static Comparison chunks() throws Exception {
        var comparison = new Comparison("B3", "no-op writer, a million items", "M/s", "chunk step", "by hand");
        try (var node = NodeRuntime.on(new InMemoryJobRepository()).start()) {
            for (int round = -3; round < ROUNDS; round++) {
                double engine = millionsPerSecond(engine(node, round));
                double hand = millionsPerSecond(byHand());
                if (round >= 0) {
                    comparison.add(engine, hand);
                }
            }
        }
        return comparison;
    }

    private static double millionsPerSecond(long nanos) {
        return ITEMS * 1e3 / nanos;
    }

    private static long engine(NodeRuntime node, int round) {
        var sink = new Sink();
        var job = Job.named("copy")
                .step(ChunkStep.<Long>copying("copy", step -> new Numbers(), step -> sink)
                        .size(CHUNK)
                        .build())
                .build();
        long start = System.nanoTime();
        run(node, job, JobParameters.NONE.with("round", new LongValue(round)));
        long nanos = System.nanoTime() - start;
        sink.check();
        return nanos;
    }

    private static long byHand() throws Exception {
        var sink = new Sink();
        var reader = new Numbers();
        long start = System.nanoTime();
        var chunk = new ArrayList<Long>(CHUNK);
        for (var item = reader.read(); item != null; item = reader.read()) {
            chunk.add(item);
            if (chunk.size() == CHUNK) {
                sink.add(chunk);
                chunk = new ArrayList<>(CHUNK);
            }
        }
        sink.add(chunk);
        long nanos = System.nanoTime() - start;
        sink.check();
        return nanos;
    }

    private static final class Numbers implements ItemReader<Long> {
        private long position;

        @Override
        public void open(ExecutionContext context, StepContext step) {
            position = context.longValue("position", 0);
        }

        @Override
        public @Nullable Long read() {
            return position == ITEMS ? null : position++;
        }

        @Override
        public ExecutionContext update(ExecutionContext context) {
            return context.with("position", position);
        }
    }

    /** Does nothing but count, so that nothing is optimised away. */
    private static final class Sink implements ItemWriter<Long> {
        private long items;
        private long sum;

        @Override
        public void write(List<Long> chunk, dev.weighlock.batch.chunk.ChunkContext context) {
            add(chunk);
        }

        void add(List<Long> chunk) {
            items += chunk.size();
            sum += chunk.isEmpty() ? 0 : chunk.getLast();
        }

        void check() {
            if (items != ITEMS || sum == 0) {
                throw new IllegalStateException("items got lost: " + items);
            }
        }
    }
}
