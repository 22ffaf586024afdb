package dev.weighlock.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.app.command.WlProcess.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs that run programs, through the real program: allowed by whoever starts them, and recorded. */
class ShellCommandTest {
    @TempDir
    Path folder;

    private void job() throws Exception {
        Files.writeString(folder.resolve("job.yaml"), """
                job: j
                parameters: {token: {type: secret, default: "file:secrets/token"}}
                steps:
                  - id: program
                    shell:
                      command: [sh, -c, 'echo "token $TOKEN"; test -e ready']
                      env: {TOKEN: "{token}"}
                """);
        Files.createDirectories(folder.resolve("secrets"));
        Files.writeString(folder.resolve("secrets/token"), "s3cret-tok3n\n");
        Files.writeString(folder.resolve("weighlock.yaml"), "logs: {keep: 30d}\n");
    }

    @Test
    void shell_runsOnlyWhereItIsAllowedAndIsRecorded() throws Exception {
        job();

        Told.clearly(wl("run", "job.yaml"), 3, "'program'", "--allow-shell");
        assertThat(folder.resolve(".weighlock/logs/1.log")).doesNotExist();

        Outcome failed = wl("run", "job.yaml", "--allow-shell");
        Told.clearly(failed, 1, "sh ended with exit code 1", "wl restart 1");
        Told.clearly(wl("restart", "1"), 3, "'program'", "--allow-shell");
        Files.createFile(folder.resolve("ready"));
        Outcome ended = wl("restart", "1", "--allow-shell");

        assertThat(ended.code()).as(ended.err()).isZero();
        assertThat(wl("logs", "2").out()).contains("program: token ***").doesNotContain("s3cret-tok3n");
        assertThat(wl("show", "2", "--json").out())
                .contains("weighlock.shell-evidence/1", "at_least_once")
                .doesNotContain("s3cret-tok3n");
    }

    @Test
    void check_saysThatAProgramRunsAtLeastOnce() throws Exception {
        job();
        Path below = Files.createDirectories(folder.resolve("below"));

        Outcome outcome = WlProcess.run(below, "check", "../job.yaml");

        assertThat(outcome.code()).isZero();
        assertThat(outcome.out()).contains("program (shell sh)", "delivery: at least once");
        assertThat(outcome.err()).contains("job.yaml:4: warning: the step 'program' is a shell step");
    }

    @Test
    void secretFile_isFoundBesideTheSettings() throws Exception {
        job();
        Files.createFile(folder.resolve("ready"));
        Path below = Files.createDirectories(folder.resolve("below"));
        try (WlProcess run = WlProcess.start(below, Map.of(), "run", "../job.yaml", "--allow-shell")) {
            Outcome outcome = run.await();
            assertThat(outcome.code()).as(outcome.err()).isZero();
        }
    }

    private Outcome wl(String... words) throws Exception {
        return WlProcess.run(folder, words);
    }
}
