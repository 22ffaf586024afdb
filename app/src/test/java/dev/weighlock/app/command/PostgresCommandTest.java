package dev.weighlock.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.app.command.WlProcess.Outcome;
import dev.weighlock.batch.testkit.EmbeddedDatabase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The real command on a repository that is a PostgreSQL database. */
class PostgresCommandTest {
    @TempDir
    Path folder;

    @BeforeEach
    void write() throws Exception {
        Files.writeString(folder.resolve("weighlock.yaml"), """
                repository: {url: "%s", user: env:WL_TEST_USER, password: "file:password"}
                """.formatted(
                        EmbeddedDatabase.url(EmbeddedDatabase.createDatabase())));
        Files.writeString(folder.resolve("password"), "hunter2\n");
        Files.writeString(folder.resolve("answer.yaml"), """
                job: answer
                steps:
                  - id: ask
                    query: {sql: "SELECT 42 AS answer"}
                """);
        Files.writeString(folder.resolve("endless.yaml"), """
                job: endless
                steps:
                  - id: count
                    query: {sql: "SELECT count(*) FROM range(10000000) a, range(10000000) b WHERE a.range + b.range = -1"}
                """);
    }

    private WlProcess start(String... words) throws Exception {
        return WlProcess.start(folder, Map.of("WL_TEST_USER", EmbeddedDatabase.USER), words);
    }

    private Outcome wl(String... words) throws Exception {
        try (WlProcess process = start(words)) {
            Outcome outcome = process.await();
            assertThat(outcome.out() + outcome.err()).doesNotContain("hunter2");
            return outcome;
        }
    }

    private String done(String... words) throws Exception {
        Outcome outcome = wl(words);
        assertThat(outcome.code()).as(outcome.err()).isZero();
        return outcome.out();
    }

    @Test
    void commands_fromTheFirstMigrationToARestart_workAsOnAFile() throws Exception {
        Outcome without = wl("run", "answer.yaml");
        assertThat(without.code()).as(without.err()).isEqualTo(3);
        assertThat(without.err()).contains("wl schema migrate");
        assertThat(done("schema", "status", "--json")).contains("\"uninitialised\"");
        assertThat(done("schema", "migrate")).contains("migrated", "current");

        assertThat(done("run", "answer.yaml")).contains("execution 1 of answer", "postgresql://localhost");
        assertThat(folder.resolve(".weighlock/logs/1.log")).exists();
        assertThat(wl("run", "answer.yaml").code()).isEqualTo(5);
        assertThat(done("jobs", "--json")).contains("\"answer\"");
        assertThat(done("executions")).contains("answer");
        assertThat(done("show", "1")).contains("COMPLETED", "ask");
        assertThat(done("query", "SELECT 7 * 6 AS answer")).contains("42");

        stopped(start("run", "endless.yaml"), 2);
        stopped(start("restart", "2"), 3);
        assertThat(done("abandon", "3", "--reason", "enough")).contains("ABANDONED");
    }

    /** Stops what runs from another process. */
    private void stopped(WlProcess running, long execution) throws Exception {
        try (running) {
            running.awaitOut("execution " + execution + " of endless");
            running.awaitThat(
                    "a step begins", () -> Files.exists(folder.resolve(".weighlock/logs/" + execution + ".log")));

            done("stop", "" + execution);

            Outcome ended = running.await();
            assertThat(ended.code()).as(ended.err()).isEqualTo(131);
        }
    }

    @Test
    void server_thatIsAway_isSaidByItsExitCode() throws Exception {
        Outcome away = wl("jobs", "--repository", "postgresql://localhost:1/none");

        assertThat(away.code()).isEqualTo(7);
        assertThat(away.err()).contains("postgresql://localhost:1/none");
    }
}
