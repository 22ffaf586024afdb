package dev.weighlock.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.app.command.WlProcess.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code recover: restart}: whichever command finds the execution of a dead process goes on with it. */
class RecoverRestartTest {
    @TempDir
    Path folder;

    @TempDir
    Path mark;

    @BeforeEach
    void createJobs() throws Exception {
        Files.writeString(folder.resolve("nightly.yaml"), job("nightly") + "recover: restart\n");
        Files.writeString(folder.resolve("other.yaml"), job("other"));
    }

    private static String job(String name) {
        return """
                job: %s
                steps:
                  - id: a
                    shell: {command: ["true"]}
                """.formatted(name);
    }

    private void killARun() throws Exception {
        try (WlProcess run =
                WlProcess.startUntil("job.started", 1, mark, folder, "run", "nightly.yaml", "--allow-shell")) {
            run.awaitThat("held", () -> Files.exists(mark.resolve("reached")));
            run.kill();
            run.await();
        }
    }

    private Outcome runOther(String... more) {
        String[] words = new String[2 + more.length];
        words[0] = "run";
        words[1] = "other.yaml";
        System.arraycopy(more, 0, words, 2, more.length);
        return WlCall.run(folder, words);
    }

    private String executions() {
        return WlCall.run(folder, "executions", "nightly").out();
    }

    @Test
    void deadOwner_isRestartedByAnyCommand_whichWaitsForItsEnd() throws Exception {
        killARun();

        Outcome other = runOther("--allow-shell");

        assertThat(other.code()).as(other.err()).isZero();
        assertThat(executions()).contains("2  COMPLETED").contains("1  FAILED");
        assertThat(WlCall.run(folder, "show", "1").out()).contains("OWNER_LOST").contains("recover");
    }

    @Test
    void deadOwner_thatWasAskedToStop_staysFailed() throws Exception {
        killARun();
        assertThat(WlCall.run(folder, "stop", "1").code()).isZero();

        runOther("--allow-shell");

        assertThat(executions()).contains("1  FAILED").doesNotContain("COMPLETED");
    }

    @Test
    void deadOwner_ofAJobWithPrograms_isNotRestartedWhereTheyAreNotAllowed() throws Exception {
        Files.writeString(folder.resolve("other.yaml"), """
                job: other
                steps:
                  - id: a
                    query: {sql: SELECT 1 AS x, cap: 128MiB}
                """);
        killARun();

        Outcome other = runOther();

        assertThat(other.code()).as(other.err()).isZero();
        assertThat(executions()).contains("1  FAILED").doesNotContain("COMPLETED");
    }
}
