package dev.weighlock.jobs.compile;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.run.RunningJob;
import dev.weighlock.batch.testing.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

class ShellStepTest {
    private static final String ECHO = """
        job: j
        parameters: {word: {type: string}, key: {type: secret, default: env:TOKEN}}
        steps:
          - id: run
            shell:
              command: [sh, -c, 'printf "%s|" "$@" > arguments; echo "key is $KEY"; exit "$CODE"', sh, "{word}", plain, ""]
              env: {KEY: "{key}", CODE: "0", WORD: "{word}"}
              exit_codes: {3: EMPTY, 4: FAILED}
        """;

    @TempDir
    Path home;

    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final Logger shell = (Logger) LoggerFactory.getLogger("shell");

    @BeforeEach
    void listen() {
        log.start();
        shell.setLevel(Level.INFO);
        shell.addAppender(log);
    }

    @AfterEach
    void endListening() {
        shell.detachAppender(log);
    }

    private List<String> lines() {
        return log.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    @Test
    void shell_values_areWholeArgumentsUnchanged() throws Exception {
        String word = "a b'\"; $(touch oops) `touch oops`\n*?\\ {x} \u2028käse";
        try (JobBench bench = new JobBench(home)) {
            JobExecution execution = bench.run(ECHO, Map.of("word", word));

            assertThat(execution.status()).as("%s", execution.diagnostics()).isEqualTo(BatchStatus.COMPLETED);
            assertThat(Files.readString(bench.folder.resolve("arguments"))).isEqualTo(word + "|plain||");
            assertThat(bench.folder.resolve("oops")).doesNotExist();
        }
    }

    @Test
    void shell_secrets_reachTheProgramAndNothingElse() throws Exception {
        try (JobBench bench = new JobBench(home)) {
            JobExecution execution = bench.run(ECHO, Map.of("word", "w"));

            assertThat(lines()).containsExactly("run: key is ***");
            assertThat(bench.evidence(bench.step(execution, "run")))
                    .contains("\"delivery\":\"at_least_once\"", "\"exit_code\":0", "KEY")
                    .doesNotContain(JobBench.TOKEN);
            assertThat(execution.toString()).doesNotContain(JobBench.TOKEN);
        }
    }

    @Test
    void shell_exitCodes_becomeExitStatusesOrFailures() throws Exception {
        try (JobBench bench = new JobBench(home)) {
            String job = ECHO
                    + "  - {id: then, query: {sql: SELECT 1}}\nflow: {run: {EMPTY: COMPLETE, COMPLETED: then, FAILED: FAIL}}\n";
            JobExecution empty = bench.run(job.replace("CODE: \"0\"", "CODE: \"3\""), Map.of("word", "3"));
            JobExecution mapped = bench.run(job.replace("CODE: \"0\"", "CODE: \"4\""), Map.of("word", "4"));
            JobExecution other = bench.run(job.replace("CODE: \"0\"", "CODE: \"5\""), Map.of("word", "5"));

            assertThat(empty.status()).isEqualTo(BatchStatus.COMPLETED);
            assertThat(bench.step(empty, "run").exitStatus().code()).isEqualTo("EMPTY");
            assertThat(List.of(mapped.status(), other.status())).containsOnly(BatchStatus.FAILED);
            assertThat(other.diagnostics().orElseThrow()).contains("sh ended with exit code 5");
        }
    }

    @Test
    void shell_notAllowed_failsAndRunsNothing() throws Exception {
        try (JobBench bench = new JobBench(home, resources -> resources)) {
            JobExecution execution = bench.run(ECHO, Map.of("word", "w"));

            assertThat(execution.status()).isEqualTo(BatchStatus.FAILED);
            assertThat(execution.diagnostics().orElseThrow()).contains("--allow-shell");
            assertThat(bench.folder.resolve("arguments")).doesNotExist();
        }
    }

    @Test
    void shell_missingProgram_failsByName() throws Exception {
        try (JobBench bench = new JobBench(home)) {
            JobExecution execution =
                    bench.run("job: j\nsteps: [{id: run, shell: {command: [no-such-program, -x]}}]\n", Map.of());

            assertThat(execution.status()).isEqualTo(BatchStatus.FAILED);
            assertThat(execution.diagnostics().orElseThrow()).contains("no-such-program cannot be started");
        }
    }

    /** A signal takes a moment; a child that nobody waits for stays as a zombie. */
    private static void awaitEnd(String pid) {
        Path stat = Path.of("/proc", pid, "stat");
        Await.until(() -> !isAlive(stat));
    }

    private static boolean isAlive(Path stat) {
        try {
            return !Files.readString(stat).contains(") Z ");
        } catch (IOException e) {
            // It is gone: before the file was opened, or while it was read.
            return false;
        }
    }

    @Test
    void stop_endsTheProgramAndItsChildren() throws Exception {
        try (JobBench bench = new JobBench(home)) {
            RunningJob run = bench.launch(
                    "job: j\nsteps: [{id: run, shell: {command: [sh, -c, 'sleep 600 & echo $! > child; wait']}}]\n",
                    Map.of());
            Path child = bench.folder.resolve("child");
            while (!Files.exists(child) || Files.readString(child).isBlank()) {
                Thread.onSpinWait();
            }

            run.stop();
            JobExecution ended = JobBench.ended(run);

            assertThat(ended.status()).isEqualTo(BatchStatus.STOPPED);
            assertThat(bench.statuses(ended)).containsEntry("run", BatchStatus.STOPPED);
            awaitEnd(Files.readString(child).strip());
        }
    }

    @Test
    void stop_endsAlsoWhatHasAnotherParentByNow() throws Exception {
        try (JobBench bench = new JobBench(home)) {
            RunningJob run = bench.launch(
                    "job: j\nsteps: [{id: run, shell: {command: [sh, -c, '(sleep 600 & echo $! > child); sleep 600']}}]\n",
                    Map.of());
            Path child = bench.folder.resolve("child");
            while (!Files.exists(child) || Files.readString(child).isBlank()) {
                Thread.onSpinWait();
            }

            run.stop();

            assertThat(JobBench.ended(run).status()).isEqualTo(BatchStatus.STOPPED);
            awaitEnd(Files.readString(child).strip());
        }
    }
}
