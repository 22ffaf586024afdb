package dev.weighlock.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.app.command.WlProcess.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs beyond a job's limit wait in their terminals, and are cancelled from there and from others. */
class QueuedRunTest {
    @TempDir
    Path folder;

    @TempDir
    Path mark;

    @BeforeEach
    void createJob() throws Exception {
        Files.writeString(folder.resolve("weighlock.yaml"), """
                repository: {poll: 100ms}
                """);
        Files.writeString(folder.resolve("one.yaml"), """
                job: one
                parameters: {n: {type: long}}
                max_concurrent: {runs: 1, otherwise: queue}
                steps:
                  - id: a
                    shell: {command: ["true"]}
                """);
    }

    private WlProcess start(int n) throws Exception {
        return WlProcess.start(folder, Map.of(), "run", "one.yaml", "-p", "n=" + n, "--allow-shell");
    }

    private String executions() {
        return WlCall.run(folder, "executions").out();
    }

    private void awaitWaiting(WlProcess run, String request) throws Exception {
        run.awaitThat("waiting as " + request, () -> executions().contains(request + "  one"));
    }

    @Test
    void runs_beyondTheLimit_waitAndAreCancelledOrTakeTheirTurn() throws Exception {
        try (WlProcess first =
                WlProcess.startUntil("job.started", 1, mark, folder, "run", "one.yaml", "-p", "n=1", "--allow-shell")) {
            first.awaitThat("held", () -> Files.exists(mark.resolve("reached")));
            try (WlProcess second = start(2)) {
                awaitWaiting(second, "r1");
                assertThat(WlCall.run(folder, "show", "1").out())
                        .as("who waits for it")
                        .contains("r1");
                Outcome refused = WlCall.run(folder, "run", "one.yaml", "-p", "n=2", "--allow-shell");
                assertThat(refused.code()).isEqualTo(5);
                assertThat(refused.err()).contains("launch request r1 waits for this instance already");

                Outcome stop = WlCall.run(folder, "stop", "r1", "--reason", "not today");

                assertThat(stop.code()).as(stop.err()).isZero();
                Outcome withdrawn = second.await();
                assertThat(withdrawn.code()).as(withdrawn.err()).isEqualTo(131);
                assertThat(withdrawn.err()).contains("place 1", "r1", "not today", "nothing was run");
            }
            try (WlProcess third = start(3)) {
                awaitWaiting(third, "r2");
                third.interrupt();
                assertThat(third.await().code()).isEqualTo(130);
                assertThat(executions()).doesNotContain("r2  one");
            }
            try (WlProcess fourth = start(4)) {
                awaitWaiting(fourth, "r3");
                Files.createFile(mark.resolve("continue"));
                assertThat(first.await().code()).isZero();
                Outcome ran = fourth.await();
                assertThat(ran.code()).as(ran.err()).isZero();
                assertThat(ran.out()).contains("execution 2 of one");
                assertThat(WlCall.run(folder, "stop", "r3").err()).contains("became execution 2");
            }
        }
    }
}
