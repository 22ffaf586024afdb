package dev.weighlock.app.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.app.command.WlProcess;
import dev.weighlock.app.command.WlProcess.Outcome;
import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.StopTiming;
import dev.weighlock.batch.jdbc.sqlite.SqliteRepository;
import dev.weighlock.batch.testing.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** SIGTERM at every point of a run: whole commits or none, a record that is true, and a process that ends by itself. */
class SignalTest {
    private static final int TERMINATED = 143;

    @TempDir
    Path folder;

    @TempDir
    Path mark;

    /** Held in its third chunk, whose ten rows are written and not committed. */
    private WlProcess startHeldInChunk() throws Exception {
        WlProcess run = WlProcess.startUntil("chunk.in-transaction", 3, mark, folder, "run", ShopJob.FILE);
        run.awaitThat("in a chunk", () -> Files.exists(mark.resolve("reached")));
        return run;
    }

    private void letContinue() throws Exception {
        Files.createFile(mark.resolve("continue"));
    }

    private static void awaitStopping(WlProcess run, ShopJob job) throws Exception {
        run.awaitThat("STOPPING", () -> job.recorded().status(1) == BatchStatus.STOPPING);
    }

    private void settings(String more) throws Exception {
        Files.writeString(folder.resolve("weighlock.yaml"), more, StandardOpenOption.APPEND);
    }

    @Test
    void terminate_chunkShorterThanTheLimit_isCommittedWholeAndNobodyTakesWhatDrains() throws Exception {
        ShopJob job = ShopJob.create(folder, 1);
        try (WlProcess run = startHeldInChunk()) {
            run.terminate();
            awaitStopping(run, job);

            Outcome other = job.wl("restart", "1");
            assertThat(other.code()).as(other.err()).isEqualTo(5);
            assertThat(other.err()).contains("execution 1 runs this instance already");
            letContinue();
            Outcome ended = run.await();

            assertThat(ended.code()).as(ended.err()).isEqualTo(TERMINATED);
            assertThat(ended.err()).contains("stopping", "wl restart 1").doesNotContain("tasks");
        }
        assertThat(job.recorded().status(1)).isEqualTo(BatchStatus.STOPPED);
        assertThat(job.loaded()).hasSize(30).doesNotHaveDuplicates();
        assertThat(instants(job)).doesNotContainNull().isSorted();
        assertRestartCompletes(job);
    }

    /** Of the stop of execution 1: requested, seen, last commit, terminal. */
    private static List<Instant> instants(ShopJob job) throws Exception {
        Outcome shown = job.wl("show", "1", "--json");
        JsonNode stop = JsonMapper.builder().build().readTree(shown.out()).path("stop");
        return Stream.of("requested_at", "seen_at", "last_commit_at", "terminal_at")
                .map(name -> Instant.parse(stop.path(name).asString()))
                .toList();
    }

    @Test
    void terminate_chunkLongerThanTheLimit_isRolledBackWholeAndTakenOver() throws Exception {
        ShopJob job = ShopJob.create(folder, 1);
        settings("shutdown: {deadline: 3s}\n");
        try (WlProcess run = startHeldInChunk()) {
            run.terminate();
            Outcome ended = run.await();

            assertThat(ended.code()).as(ended.err()).isEqualTo(TERMINATED);
            assertThat(ended.err()).contains("tasks did not end within 3.0 s: 1 in CHUNK_WRITE");
        }
        assertLeftStoppingAndTakenOver(job);
    }

    @Test
    void terminateTwice_inAChunk_endsByItselfAndIsTakenOver() throws Exception {
        ShopJob job = ShopJob.create(folder, 1);
        try (WlProcess run = startHeldInChunk()) {
            run.terminate();
            awaitStopping(run, job);
            run.terminate();
            Outcome ended = run.await();

            assertThat(ended.code()).as(ended.err()).isEqualTo(TERMINATED);
            assertThat(ended.err()).contains("tasks were not waited for any more: 1 in CHUNK_WRITE");
        }
        Outcome shown = job.wl("show", "1");
        assertThat(shown.out()).contains("STOPPING", "asked for by SIGTERM to process");
        assertThat(shown.err()).contains("the process of execution 1 is gone");
        assertLeftStoppingAndTakenOver(job);
    }

    private static void assertLeftStoppingAndTakenOver(ShopJob job) throws Exception {
        assertThat(job.recorded().status(1)).isEqualTo(BatchStatus.STOPPING);
        assertThat(job.loaded()).hasSize(20).doesNotHaveDuplicates();
        assertThat(assertRestartCompletes(job).err()).contains("recovered execution 1");
        assertThat(job.recorded().status(1)).isEqualTo(BatchStatus.FAILED);
    }

    private static Outcome assertRestartCompletes(ShopJob job) throws Exception {
        Outcome restart = job.wl("restart", "1");
        assertThat(restart.code()).as(restart.err()).isZero();
        assertThat(job.recorded().completed(2)).isEqualTo(ShopJob.PARTITIONS);
        assertThat(job.result().orders()).hasSize(40).doesNotHaveDuplicates();
        assertThat(job.result().marks()).hasSize(15).doesNotHaveDuplicates();
        return restart;
    }

    @Test
    void terminate_rightAfterTheStart_isStoppedBeforeAnyBody() throws Exception {
        ShopJob job = ShopJob.create(folder, 1);
        try (WlProcess run = WlProcess.startUntil("job.started", 1, mark, folder, "run", ShopJob.FILE)) {
            run.awaitThat("started", () -> Files.exists(mark.resolve("reached")));
            run.terminate();
            awaitStopping(run, job);
            letContinue();

            assertThat(run.await().code()).isEqualTo(TERMINATED);
        }
        assertThat(job.recorded().status(1)).isEqualTo(BatchStatus.STOPPED);
        assertThat(job.recorded().steps(1))
                .allSatisfy(step -> assertThat(step.stopTiming()).contains(StopTiming.BEFORE_START));
        assertThat(job.loaded()).isEmpty();
    }

    @Test
    void terminate_whileTheRepositoryOpens_beginsNothing() throws Exception {
        ShopJob job = ShopJob.create(folder, 1);
        Path repository = Files.createDirectory(folder.resolve(".weighlock")).resolve("repository.db");
        SqliteRepository.open(repository).close();
        try (Connection lock = DriverManager.getConnection("jdbc:sqlite:" + repository);
                Statement statement = lock.createStatement()) {
            long nodes = nodes();
            statement.execute("BEGIN IMMEDIATE");
            try (WlProcess run = WlProcess.start(folder, Map.of(), "run", ShopJob.FILE)) {
                run.awaitThat("it registers", () -> nodes() > nodes);
                run.terminate();
                run.awaitErr("stopping");
                statement.execute("ROLLBACK");

                Outcome ended = run.await();

                assertThat(ended.code()).as(ended.err()).isEqualTo(TERMINATED);
                assertThat(ended.err()).contains("nothing was begun");
            }
        }
        assertThat(job.recorded().isEmpty()).isTrue();
    }

    private long nodes() {
        String[] locks = folder.resolve(".weighlock/nodes").toFile().list();
        return locks == null ? 0 : locks.length;
    }

    @Test
    void terminate_duringABackOff_endsTheWait() throws Exception {
        ShopJob job = ShopJob.create(folder, 1);
        Files.writeString(folder.resolve("waiting.yaml"), """
                job: waiting
                steps:
                  - id: load
                    chunk:
                      read: {csv: data/orders.csv, schema: {id: BIGINT, region: VARCHAR, amount: BIGINT}}
                      write: {jdbc: {connection: shop, table: refusing}}
                      size: 10
                      retry: {limit: 1, on: [java.sql.SQLException], backoff: {initial: 1h, max: 1h}}
                """);
        job.execute("CREATE TABLE refusing (id INTEGER, region TEXT, amount INTEGER CHECK (amount < 0))");
        try (WlProcess run = WlProcess.startUntil("chunk.backing-off", 1, mark, folder, "run", "waiting.yaml")) {
            run.awaitThat("in a back-off", () -> Files.exists(mark.resolve("reached")));
            letContinue();
            run.terminate();

            assertThat(run.await().code()).isEqualTo(TERMINATED);
        }
        assertThat(job.recorded().status(1)).isEqualTo(BatchStatus.STOPPED);
    }

    @Test
    void terminateTwice_aProgramThatIgnoresIt_leavesNoneOfItsProcesses() throws Exception {
        ShopJob job = ShopJob.create(folder, 1);
        Files.writeString(folder.resolve("deaf.yaml"), """
                job: deaf
                steps:
                  - id: program
                    shell:
                      command: [sh, -c, 'trap "" TERM INT; sleep 600 & echo $! > child; echo $$ > program; wait; sleep 600']
                """);
        try (WlProcess run = WlProcess.start(folder, Map.of(), "run", "deaf.yaml", "--allow-shell")) {
            run.awaitThat(
                    "the program runs", () -> folder.resolve("program").toFile().length() > 1);
            run.terminate();
            awaitStopping(run, job);
            run.terminate();
            Outcome ended = run.await();

            assertThat(ended.code()).as(ended.err()).isEqualTo(TERMINATED);
            assertThat(ended.err()).contains("tasks were not waited for any more");
        }
        awaitEnd("program");
        awaitEnd("child");
    }

    /** A killed process needs a processor to die: waits for the one whose number a file holds. */
    private void awaitEnd(String file) throws Exception {
        Path stat = Path.of("/proc", Files.readString(folder.resolve(file)).strip(), "stat");
        Await.until(() -> !isAlive(stat));
    }

    /** A dead one that nobody has collected is not. */
    private static boolean isAlive(Path stat) {
        try {
            return !Files.readString(stat).contains(") Z ");
        } catch (IOException e) {
            // It is gone: before the file was opened, or while it was read.
            return false;
        }
    }
}
