package dev.weighlock.bench;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.weighlock.batch.ExecutionContext;
import dev.weighlock.batch.JobParameters;
import dev.weighlock.batch.ParameterValue.LongValue;
import dev.weighlock.batch.flow.Job;
import dev.weighlock.batch.flow.TaskletStep;
import dev.weighlock.batch.jdbc.sqlite.SqliteRepository;
import dev.weighlock.batch.launch.LaunchOptions;
import dev.weighlock.batch.launch.LaunchResult;
import dev.weighlock.batch.launch.NodeRuntime;
import dev.weighlock.batch.partition.OnFailure;
import dev.weighlock.batch.partition.Partitioning;
import dev.weighlock.batch.repository.PlannedPartition;
import dev.weighlock.batch.run.ProgressEvent;
import dev.weighlock.batch.tasklet.Tasklet;
import dev.weighlock.batch.tasklet.TaskletOutcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import org.slf4j.LoggerFactory;
import org.sqlite.SQLiteDataSource;

/**
 * Partitions on SQLite. B5: 1,000 of an empty tasklet, 8 workers. B6: 100 with one business write each, with 1, 10 and 64
 * workers. Both beside a loop written by hand that commits one row a partition under the same durability, in pairs. B8:
 * 10,000 of which 3 are left: taking the plan over, then the three, and the heap after it.
 */
public final class BatchPartitions {
    private static final int ROUNDS = 7;
    private static final LaunchOptions HERE = LaunchOptions.DEFAULT.withCallerThread();

    private final List<Comparison> figures = new ArrayList<>();
    private final AtomicLong instances = new AtomicLong();
    private final AtomicLong plannedAt = new AtomicLong();
    private final NodeRuntime node;
    private final Path folder;

    private BatchPartitions(SqliteRepository repository, Path folder) {
        this.folder = folder;
        this.node = NodeRuntime.on(repository)
                .progress(event -> {
                    if (event instanceof ProgressEvent.PartitionsPlanned) {
                        plannedAt.set(System.nanoTime());
                    }
                })
                .start();
    }

    public static void main(String[] args) throws Exception {
        ((Logger) LoggerFactory.getLogger("dev.weighlock")).setLevel(Level.OFF);
        Path folder = Files.createTempDirectory("bench-partitions");
        try (SqliteRepository repository = SqliteRepository.open(folder.resolve("repository.db"))) {
            BatchPartitions bench = new BatchPartitions(repository, folder);
            try {
                bench.empty();
                bench.writing();
                bench.threeLeft();
            } finally {
                bench.node.close();
            }
            Comparison.print("SQLite, write-ahead log, synchronous FULL", bench.figures);
        } finally {
            Folders.delete(folder);
        }
    }

    private void empty() throws SQLException {
        pairs("B5", 1_000, 8, context -> TaskletOutcome.COMPLETED);
        try (Commits commits = Commits.count()) {
            run(job(1_000, 8, context -> TaskletOutcome.COMPLETED));
            figures.add(Comparison.aimed("B5", "commits a partition", "", commits.all() / 1_000.0, 1));
        }
    }

    private void writing() throws SQLException {
        try (Connection connection = open("repository.db")) {
            execute(connection, "CREATE TABLE business (id INTEGER PRIMARY KEY, text TEXT)");
        }
        for (int workers : new int[] {1, 10, 64}) {
            pairs("B6", 100, workers, context -> {
                context.enlist(connection -> execute(connection, "INSERT INTO business (text) VALUES ('written')"));
                return TaskletOutcome.COMPLETED;
            });
        }
    }

    /** Partitions a second, ours and by hand, pair by pair. */
    private void pairs(String id, int partitions, int workers, Tasklet body) throws SQLException {
        Comparison comparison =
                new Comparison(id, partitions + " partitions, " + workers + " workers", "1/s", "weighlock", "by hand");
        figures.add(comparison);
        for (int round = -2; round < ROUNDS; round++) {
            double mine = partitions / run(job(partitions, workers, body));
            double byHand = partitions / byHand(partitions);
            if (round >= 0) {
                comparison.add(mine, byHand);
            }
        }
    }

    private double byHand(int partitions) throws SQLException {
        try (Connection connection = open("hand.db")) {
            execute(connection, "PRAGMA journal_mode = WAL");
            execute(connection, "PRAGMA synchronous = FULL");
            execute(connection, "CREATE TABLE IF NOT EXISTS part (id INTEGER PRIMARY KEY, status TEXT)");
            connection.setAutoCommit(false);
            long start = System.nanoTime();
            for (int i = 0; i < partitions; i++) {
                execute(
                        connection,
                        "INSERT INTO part VALUES (" + i + ", 'COMPLETED') ON CONFLICT (id) DO UPDATE SET status = 'X'");
                connection.commit();
            }
            return (System.nanoTime() - start) / 1e9;
        }
    }

    private Connection open(String file) throws SQLException {
        SQLiteDataSource source = new SQLiteDataSource();
        source.setUrl("jdbc:sqlite:" + folder.resolve(file));
        return source.getConnection();
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private void threeLeft() {
        AtomicBoolean failing = new AtomicBoolean(true);
        Job job = job(10_000, 8, context -> {
            if (failing.get() && context.partition().orElseThrow().ordinal() < 3) {
                throw new IllegalStateException("left for the restart");
            }
            return TaskletOutcome.COMPLETED;
        });
        JobParameters parameters = JobParameters.NONE.with("n", new LongValue(instances.incrementAndGet()));
        launch(job, parameters);
        failing.set(false);
        long start = System.nanoTime();
        launch(job, parameters);
        double plan = (plannedAt.get() - start) / 1e6;
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        double heap = (runtime.totalMemory() - runtime.freeMemory()) / (double) (1 << 20);
        figures.add(Comparison.aimed("B8", "3 of 10,000 left: plan taken over", "ms", plan, 300));
        figures.add(Comparison.aimed("B8", "  heap in use, of 128 MiB at most", "MiB", heap, 128));
    }

    private static Job job(int partitions, int workers, Tasklet body) {
        var plan = IntStream.range(0, partitions)
                .mapToObj(i -> new PlannedPartition("key-" + i, ExecutionContext.EMPTY))
                .toList();
        var by = Partitioning.by("1", context -> plan).withWorkers(workers).withOnFailure(OnFailure.DRAIN);
        return Job.named("partitions")
                .step(TaskletStep.named("p", body).partitioned(by).build())
                .build();
    }

    /** Seconds of a new instance, from launch to its end. */
    private double run(Job job) {
        long start = System.nanoTime();
        launch(job, JobParameters.NONE.with("n", new LongValue(instances.incrementAndGet())));
        return (System.nanoTime() - start) / 1e9;
    }

    private void launch(Job job, JobParameters parameters) {
        if (!(node.launcher().launch(job, parameters, HERE) instanceof LaunchResult.Launched)) {
            throw new IllegalStateException("the job was not launched");
        }
    }

    /** Counts the driver's COMMITs by its own trace. */
    private static final class Commits extends AppenderBase<ILoggingEvent> implements AutoCloseable {
        private final Logger driver = (Logger) LoggerFactory.getLogger("org.sqlite.core.NativeDB");
        private final LongAdder all = new LongAdder();

        static Commits count() {
            Commits counter = new Commits();
            counter.start();
            counter.driver.setLevel(Level.TRACE);
            counter.driver.setAdditive(false);
            counter.driver.addAppender(counter);
            return counter;
        }

        @Override
        protected void append(ILoggingEvent event) {
            if (event.getFormattedMessage().toUpperCase(Locale.ROOT).contains("COMMIT")
                    && !event.getFormattedMessage().contains("commit_count")) {
                all.increment();
            }
        }

        long all() {
            return all.sum();
        }

        @Override
        public void close() {
            driver.detachAppender(this);
            driver.setLevel(Level.OFF);
            stop();
        }
    }
}
