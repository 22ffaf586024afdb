package dev.weighlock.app.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.app.command.WlProcess.Outcome;
import dev.weighlock.app.terminal.Terminal;
import dev.weighlock.app.wiring.JobSession;
import dev.weighlock.app.wiring.Workspace;
import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.launch.LaunchResult;
import dev.weighlock.batch.run.RunOutcome;
import dev.weighlock.batch.run.RunningJob;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Engine calls hold their thread: as many of them as there are processors must not stop everything else in the process. */
class PaceTest {
    private static final int BEATS = 100;
    private static final Duration BOUND = Duration.ofMinutes(5);

    @TempDir
    Path folder;

    @Test
    void longQueries_onEveryProcessor_leaveVirtualThreadsAndAStopTheirPace() throws Exception {
        int workers = Runtime.getRuntime().availableProcessors();
        write(workers);
        Workspace workspace = Workspace.of(
                folder,
                Map.of("WEIGHLOCK_BUDGET_FOLDER", folder.resolve("budget").toString()),
                null);
        PrintStream unread = new PrintStream(new ByteArrayOutputStream(), true, UTF_8);
        Terminal terminal = new Terminal(unread, unread, false, false, false, 100);
        JobText job = JobText.read(folder.resolve("job.yaml"), new RunOptions(), workspace, terminal);
        try (JobSession session = JobSession.open(workspace, "test", false, event -> {})) {
            RunningJob run = ((LaunchResult.Launched) job.launch(session)).run();
            awaitRunning(session, run, workers);

            assertThat(beats().await(BOUND.toSeconds(), TimeUnit.SECONDS)).isTrue();
            assertThat(running(session, workers)).isTrue();
            Outcome stop = WlProcess.run(folder, "stop", Long.toString(run.executionId()));

            assertThat(stop.code()).as(stop.err()).isZero();
            assertThat(run.await(BOUND))
                    .hasValueSatisfying(end -> assertThat(end).isInstanceOfSatisfying(RunOutcome.Ended.class, ended -> {
                        assertThat(ended.execution().status()).isEqualTo(BatchStatus.STOPPED);
                        assertThat(ended.execution().stop().seenAt()).isPresent();
                    }));
        }
    }

    /** Counts down on a virtual thread, which needs a carrier for each beat. */
    private static CountDownLatch beats() {
        CountDownLatch beats = new CountDownLatch(BEATS);
        Thread.ofVirtual().start(() -> {
            while (beats.getCount() > 0) {
                LockSupport.parkNanos(1_000_000);
                beats.countDown();
            }
        });
        return beats;
    }

    private static void awaitRunning(JobSession session, RunningJob run, int workers) throws InterruptedException {
        long end = System.nanoTime() + BOUND.toNanos();
        while (!running(session, workers)) {
            assertThat(run.await(Duration.ofMillis(20))).isEmpty();
            assertThat(System.nanoTime()).as("the queries began").isLessThan(end);
        }
    }

    private static boolean running(JobSession session, int workers) {
        for (int i = 0; i < workers; i++) {
            if (session.memoryOf("pairs/" + i) == null) {
                return false;
            }
        }
        return true;
    }

    /** A hundred billion pairs a partition: none ends before it is stopped. */
    private void write(int workers) throws Exception {
        StringBuilder keys = new StringBuilder("\"0\"");
        for (int i = 1; i < workers; i++) {
            keys.append(", \"").append(i).append('"');
        }
        Files.writeString(folder.resolve("job.yaml"), """
                job: j
                steps:
                  - id: pairs
                    partition: {keys: [%s], workers: %d}
                    query:
                      sql: |
                        SELECT sum(a.range * b.range) AS s, :partition AS p FROM range(1000000) a, range(100000) b
                      output: {csv: "out/{partition}.csv"}
                      cap: 64MiB
                """.formatted(keys, workers));
    }
}
