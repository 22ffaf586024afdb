package dev.weighlock.app.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.app.command.WlProcess;
import dev.weighlock.app.wiring.JobSession;
import dev.weighlock.app.wiring.Workspace;
import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.JobParameters;
import dev.weighlock.batch.ParameterValue.LongValue;
import dev.weighlock.batch.jdbc.sqlite.SqliteRepository;
import dev.weighlock.batch.launch.LaunchResult;
import dev.weighlock.batch.repository.JobRepository;
import dev.weighlock.batch.run.ProgressListener;
import dev.weighlock.jobs.file.JobFileReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A job with chunks, partitions, queries and a source, stopped, shut down, hurried and killed at random, over and over. One
 * instance after the other is restarted until it is complete; at the end every row is there once for each.
 */
class RoundsTest {
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final int EVENTS = 40;
    private static final List<String> POINTS = List.of(
            "job.started",
            "chunk.in-transaction",
            "chunk.committed",
            "output.before-rename",
            "output.after-rename",
            "partition.running",
            "partition.finished",
            "step.finishing",
            "job.finishing");

    @TempDir
    Path folder;

    @TempDir
    Path marks;

    private Random random = new Random(0);
    private ShopJob job;
    private Workspace workspace;
    private long instance = 1;

    @BeforeEach
    void writeJob() throws Exception {
        job = ShopJob.create(folder, 2);
        Path file = folder.resolve(ShopJob.FILE);
        Files.writeString(
                file,
                Files.readString(file)
                        .replace("job: shop\n", "job: shop\nparameters: {run: {type: long}}\n")
                        // Each instance loads the same orders once more.
                        .replace("sql: SELECT id,", "sql: SELECT DISTINCT id,"));
        workspace = Workspace.of(
                folder,
                Map.of("WEIGHLOCK_BUDGET_FOLDER", folder.resolve("budget").toString()),
                null);
    }

    @Test
    void fiftyRounds_endTerminalWithEveryRowOnce() throws Exception {
        rounds(50, 10, 20_261_130);
    }

    @Tag("long")
    @Test
    void aThousandRounds_endTerminalWithEveryRowOnce() throws Exception {
        rounds(Integer.getInteger("weighlock.rounds", 1_000), 4, new Random().nextLong());
    }

    /**
     * Plays so many rounds.
     *
     * @param everyKill each so many rounds one is a process that is killed
     * @param usual the seed where none is given
     */
    private void rounds(int count, int everyKill, long usual) throws Exception {
        long seed = Long.getLong("weighlock.seed", usual);
        System.out.println("rounds seed " + seed);
        random = new Random(seed);
        for (int round = 0; round < count; round++) {
            if (round % everyKill == everyKill - 1) {
                killed(round);
            } else {
                disturbed(random.nextInt(6));
            }
        }
        while (runs(session -> {}) != BatchStatus.COMPLETED) {
            assertThat(executions().size()).as("attempts").isLessThan(2 * count + 10);
        }
        assertThat(executions()).extracting(JobExecution::status).noneMatch(BatchStatus::isActive);
        assertEveryRowOnceForEachOf(instance);
    }

    /** What is done to a session at a random event of its run. */
    private interface Disturbance {
        void to(JobSession session);
    }

    private void disturbed(int kind) throws Exception {
        BatchStatus status = runs(
                switch (kind) {
                    case 0, 1 -> session -> session.repository().requestStop(last(), OptionalLong.empty(), "rounds");
                    case 2, 3 -> session -> session.requestShutdown("rounds");
                    case 4 ->
                        session -> {
                            session.requestShutdown("rounds");
                            session.requestShutdown("rounds");
                        };
                    default -> session -> {};
                });
        if (status == BatchStatus.COMPLETED) {
            instance++;
        }
    }

    private long last() {
        return executions().getFirst().id();
    }

    /** One attempt at the instance in this process; how it ended. */
    private BatchStatus runs(Disturbance disturbance) throws Exception {
        CountDownLatch moment = new CountDownLatch(1);
        AtomicInteger left = new AtomicInteger(1 + random.nextInt(EVENTS));
        ProgressListener counting = event -> {
            if (left.decrementAndGet() == 0) {
                moment.countDown();
            }
        };
        try (JobSession session = JobSession.open(workspace, "rounds", false, counting)) {
            session.recoverDead();
            LaunchResult.Launched launched = launched(session);
            Thread disturbing = Thread.ofPlatform().start(() -> {
                try {
                    if (moment.await(LONG.toSeconds(), TimeUnit.SECONDS)) {
                        disturbance.to(session);
                    }
                } catch (InterruptedException overBefore) {
                    Thread.currentThread().interrupt();
                }
            });
            assertThat(launched.run().await(LONG)).isPresent();
            disturbing.interrupt();
            disturbing.join();
            return launched.run().execution().status();
        }
    }

    private LaunchResult.Launched launched(JobSession session) {
        JobFileReader.Read read = JobFileReader.fromDisk(folder.resolve(ShopJob.FILE));
        LaunchResult result = session.launch(
                ((JobFileReader.Read.Sound) read).file(),
                JobParameters.NONE.with("run", new LongValue(instance)),
                Set.of());
        assertThat(result).isInstanceOf(LaunchResult.Launched.class);
        return (LaunchResult.Launched) result;
    }

    private void killed(int round) throws Exception {
        Path mark = Files.createDirectory(marks.resolve("round-" + round));
        String point = POINTS.get(random.nextInt(POINTS.size()));
        int turn = 1 + random.nextInt(3);
        try (WlProcess run =
                WlProcess.startUntil(point, turn, mark, folder, "run", ShopJob.FILE, "-p", "run=" + instance)) {
            run.awaitEndOr(() -> Files.exists(mark.resolve("reached")));
            run.kill();
            if (run.await().code() == 0) {
                instance++;
            }
        }
    }

    private List<JobExecution> executions() {
        try (JobRepository repository = SqliteRepository.open(folder.resolve(".weighlock/repository.db"))) {
            return repository
                    .executions(Optional.empty(), Optional.empty(), 1_000)
                    .items();
        }
    }

    private void assertEveryRowOnceForEachOf(long instances) throws Exception {
        assertThat(counts(job.loaded()))
                .hasSize(40)
                .allSatisfy((row, count) -> assertThat(count).as(row).isEqualTo(instances));
        assertThat(counts(job.result().marks()))
                .hasSize(15)
                .allSatisfy((row, count) -> assertThat(count).as(row).isEqualTo(instances));
        assertThat(folder.resolve("out").toFile().list()).containsExactly("report.csv");
    }

    private static Map<String, Long> counts(List<String> rows) {
        return rows.stream().collect(Collectors.groupingBy(row -> row, Collectors.counting()));
    }
}
