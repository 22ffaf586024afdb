package dev.weighlock.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.app.command.WlProcess.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What an operator does from a terminal, to a small job that loads a table. */
class OperatorCommandsTest {
    private static final JsonMapper JSON = new JsonMapper();
    private static final Pattern DIGEST = Pattern.compile("(?m)^digest (\\S+)$");

    @TempDir
    Path folder;

    @BeforeEach
    void createJob() throws Exception {
        Files.writeString(folder.resolve("weighlock.yaml"), """
                connections:
                  shop: {url: "sqlite:shop.db", checkpoint: create}
                """);
        Files.writeString(folder.resolve("load.yaml"), """
                job: load
                parameters: {day: {type: string}}
                max_concurrent: {runs: 1}
                steps:
                  - id: load
                    chunk:
                      read: {csv: "{day}.csv", schema: {id: BIGINT}}
                      write: {jdbc: {connection: shop, table: t}}
                      size: 2
                """);
        Files.writeString(folder.resolve("good.csv"), "id\n1\n2\n3\n");
        Files.writeString(folder.resolve("bad.csv"), "id\n1\n2\nx\n");
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("shop.db"));
                var statement = connection.createStatement()) {
            statement.executeUpdate("CREATE TABLE t (id INTEGER)");
        }
    }

    private Outcome wl(String... words) {
        return WlCall.run(folder, words);
    }

    private Outcome wl(int code, String... words) {
        Outcome outcome = wl(words);
        assertThat(outcome.code()).as(outcome.out() + outcome.err()).isEqualTo(code);
        return outcome;
    }

    private static JsonNode json(Outcome outcome) {
        return JSON.readTree(outcome.out());
    }

    private long checkpoints() throws Exception {
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("shop.db"));
                var statement = connection.createStatement();
                var row = statement.executeQuery("SELECT count(*) FROM weighlock_checkpoint")) {
            return row.getLong(1);
        }
    }

    private String digest(Outcome outcome) {
        var matcher = DIGEST.matcher(outcome.out());
        assertThat(matcher.find()).as(outcome.out()).isTrue();
        return matcher.group(1);
    }

    @Test
    void hold_keepsAnInstanceFromRestarts_untilItIsReleased() {
        wl(1, "run", "load.yaml", "-p", "day=bad");

        assertThat(wl(0, "hold", "1", "--reason", "under audit").out()).contains("is held");
        assertThat(wl(0, "hold", "1").out()).contains("held already").contains("nothing was changed");
        assertThat(wl(3, "restart", "1").err())
                .contains("held")
                .contains("under audit")
                .contains("wl release 1");
        assertThat(wl(0, "show", "1").out()).contains("held").contains("under audit");
        wl(0, "release", "1");
        assertThat(wl(1, "restart", "1").err()).doesNotContain("held");
    }

    @Test
    void abandon_ofASupersededAttempt_isRefusedByName_andAgainIsNothing() {
        wl(1, "run", "load.yaml", "-p", "day=bad");
        wl(1, "restart", "1");

        assertThat(wl(5, "abandon", "1").err()).contains("superseded by execution 2");
        assertThat(wl(0, "abandon", "2", "--reason", "no use").out()).contains("ABANDONED");
        assertThat(wl(0, "abandon", "2").out()).contains("already").contains("nothing was changed");
        JsonNode audit = json(wl(0, "show", "2", "--json")).get("audit");
        assertThat(audit.findValuesAsString("action")).containsExactly("restart", "abandon");
        assertThat(audit.findValuesAsString("detail")).containsExactly("of execution 1", "no use");
    }

    @Test
    void idempotencyKey_ofAnotherAct_isRefused() {
        wl(1, "run", "load.yaml", "-p", "day=bad");
        wl(0, "hold", "1", "--idempotency-key", "k");
        wl(0, "hold", "1", "--idempotency-key", "k");

        assertThat(wl(2, "abandon", "1", "--idempotency-key", "k").err()).contains("belongs to another act");
    }

    @Test
    void recover_ofAnUnknownOutcome_isDecidedByDigestOnce() {
        wl(0, "run", "load.yaml", "-p", "day=good");
        makeUnknown("day=bad");

        Outcome proposal = wl(0, "recover", "2");
        String digest = digest(proposal);
        assertThat(proposal.out()).contains("execution 2 UNKNOWN");
        wl(2, "recover", "2", "--apply", digest);
        wl(5, "recover", "2", "--apply", "0".repeat(64), "--as", "FAILED", "--reason", "guess");

        String[] decision = {"recover", "2", "--apply", digest, "--as", "FAILED", "--reason", "rows are missing"};
        assertThat(json(wl(0, with(decision, "--json"))).get("changed").asBoolean())
                .isTrue();
        assertThat(wl(0, decision).out()).contains("decided before");
        assertThat(wl(0, "show", "2").out()).contains("rows are missing");
        assertThat(wl(3, "recover", "2").err()).contains("nothing to recover");
    }

    private static String[] with(String[] words, String word) {
        var all = new ArrayList<>(List.of(words));
        all.add(word);
        return all.toArray(String[]::new);
    }

    /** A second execution whose COMMIT got no answer. */
    private void makeUnknown(String day) {
        Path file = folder.resolve(".weighlock/repository.db");
        wl("run", "load.yaml", "-p", day);
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                var statement = connection.createStatement()) {
            statement.executeUpdate("""
                    UPDATE job_execution SET status = 'UNKNOWN', failure_category = NULL, failure_id = NULL WHERE id = 2
                    """);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void purge_removesWhatItsPlanNames_withLogsAndCheckpoints() throws Exception {
        wl(0, "run", "load.yaml", "-p", "day=good");
        wl(1, "run", "load.yaml", "-p", "day=bad");
        wl(0, "hold", "2");
        assertThat(checkpoints()).isEqualTo(2);
        assertThat(wl(0, "purge").out()).as("nothing is 30 days old").contains("nothing is older");

        String digest = digest(wl(0, "purge", "--older-than", "0s"));
        assertThat(checkpoints()).as("a plan removes nothing").isEqualTo(2);
        Outcome done = wl(0, "purge", "--apply", digest);

        assertThat(done.out()).contains("1 instances with 1 executions", "1 checkpoints", "1 logs");
        assertThat(wl(0, "purge", "--apply", digest).out())
                .contains("done before")
                .contains("nothing was changed");
        assertThat(checkpoints()).isEqualTo(1);
        assertThat(folder.resolve(".weighlock/logs/1.log")).doesNotExist();
        assertThat(folder.resolve(".weighlock/logs/2.log")).exists();
        wl(4, "show", "1");
        wl(0, "show", "2");
        wl(2, "purge", "--apply", "nonsense");
        assertThat(json(wl(0, "purge", "--older-than", "0s", "--json"))
                        .get("instances")
                        .asInt())
                .isZero();
    }

    @Test
    void purge_whereTheConnectionIsGone_saysWhatItLeft() throws Exception {
        wl(0, "run", "load.yaml", "-p", "day=good");
        Files.writeString(folder.resolve("weighlock.yaml"), "");
        String digest = digest(wl(0, "purge", "--older-than", "0s"));

        assertThat(wl(0, "purge", "--apply", digest).err()).contains("left: checkpoints in 'shop'");
    }

    @Test
    void failure_underJson_isOneDocumentWithCodeAndHint() {
        wl(1, "run", "load.yaml", "-p", "day=bad");

        JsonNode error = JSON.readTree(wl(4, "show", "99", "--json").err()).get("error");

        assertThat(error.get("code").asString()).isEqualTo("NOT_FOUND");
        assertThat(error.get("exit").asInt()).isEqualTo(4);
        assertThat(error.get("what").asString()).isEqualTo("there is no execution 99");
        assertThat(error.get("hint").asString()).contains("wl executions");
        JsonNode usage = JSON.readTree(wl(2, "show", "--json").err()).get("error");
        assertThat(usage.get("code").asString()).isEqualTo("USAGE");
    }

    @Test
    void documents_ofAllCommands_beginWithTheirSchema() {
        wl(1, "run", "load.yaml", "-p", "day=bad");

        assertLabelled("weighlock.hold/1", "hold", "1");
        assertLabelled("weighlock.release/1", "release", "1");
        assertLabelled("weighlock.abandon/1", "abandon", "1");
        assertLabelled("weighlock.schema/1", "schema", "status");
        assertLabelled("weighlock.schema/1", "schema", "migrate");
        assertLabelled("weighlock.schema-roles/1", "schema", "roles");
        makeUnknown("day=good");
        assertLabelled("weighlock.recovery/1", "recover", "2");
        String digest = digest(wl(0, "recover", "2"));
        assertLabelled(
                "weighlock.recovered/1", "recover", "2", "--apply", digest, "--as", "FAILED", "--reason", "looked");
    }

    private void assertLabelled(String schema, String... words) {
        JsonNode document = json(wl(0, with(words, "--json")));
        assertThat(document.propertyNames()).as(schema).startsWith("schema");
        assertThat(document.get("schema").asString()).isEqualTo(schema);
    }

    @Test
    void failure_ofAJobFileUnderJson_namesFileAndLine() throws Exception {
        Files.writeString(folder.resolve("broken.yaml"), "job: j\nsteps:\n  - {id: a, quary: {sql: x}}\n");

        JsonNode error =
                JSON.readTree(wl(2, "run", "broken.yaml", "--json").err()).get("error");

        assertThat(error.get("where").asString()).endsWith("broken.yaml:3");
    }

    @Test
    void logs_underJson_areOneDocumentALine() {
        wl(1, "run", "load.yaml", "-p", "day=bad");

        var lines =
                wl(0, "logs", "1", "--json").out().lines().map(JSON::readTree).toList();

        assertThat(lines)
                .hasSizeGreaterThan(2)
                .allSatisfy(line -> assertThat(line.get("at").asString()).endsWith("Z"));
        assertThat(lines.getFirst().get("message").asString()).contains("execution 1 of load began");
        assertThat(lines)
                .anySatisfy(line -> assertThat(line.get("message").asString())
                        .as("a stack trace belongs to its message")
                        .contains("\n"));
    }

    @Test
    void doctor_ofASoundPlace_findsNoProblem() {
        wl(0, "run", "load.yaml", "-p", "day=good");

        Outcome outcome = wl(0, "doctor");

        assertThat(outcome.out()).contains("SQLite", "schema version", "DuckDB", "push", "shared by the processes");
        JsonNode document = json(wl(0, "doctor", "--json"));
        assertThat(document.get("healthy").asBoolean()).isTrue();
    }

    @Test
    void doctor_ofANewerRepository_isAProblemWithExitCodeOne() throws Exception {
        wl(0, "run", "load.yaml", "-p", "day=good");
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve(".weighlock/repository.db"));
                var statement = connection.createStatement()) {
            statement.executeUpdate("PRAGMA user_version = 99");
        }

        assertThat(wl(1, "doctor").out()).contains("problem").contains("newer");
    }

    @Test
    void settings_emptyFile_meanTheDefaults() throws Exception {
        Files.writeString(folder.resolve("weighlock.yaml"), "# later\n\n");

        wl(0, "jobs");
    }

    @Test
    void skips_areLoggedWithFileLineAndReason_andAreNoRows() throws Exception {
        Files.writeString(folder.resolve("skip.yaml"), """
                job: skip
                steps:
                  - id: load
                    chunk:
                      read: {csv: bad.csv, schema: {id: BIGINT}}
                      write: {jdbc: {connection: shop, table: t}}
                      skip: {limit: 5, on: [read]}
                """);

        Outcome run = wl(0, "run", "skip.yaml");

        assertThat(run.out()).contains("2 rows").doesNotContain("3 rows");
        assertThat(wl(0, "logs", "1").out()).contains("read skip", "bad.csv:4", "'x' is no");
    }

    @Test
    void show_ofARestart_listsWhatWasCarriedOverAndTheWaysTaken() throws Exception {
        Files.writeString(folder.resolve("two.yaml"), """
                job: two
                steps:
                  - id: first
                    chunk:
                      read: {csv: good.csv, schema: {id: BIGINT}}
                      write: {jdbc: {connection: shop, table: t}}
                  - id: second
                    chunk:
                      read: {csv: bad.csv, schema: {id: BIGINT}}
                      write: {jdbc: {connection: shop, table: t}}
                """);
        wl(1, "run", "two.yaml");
        Files.writeString(folder.resolve("bad.csv"), "id\n1\n2\n3\n");
        wl(0, "restart", "1");

        String shown = wl(0, "show", "2").out();

        assertThat(shown).contains("COMPLETED before, in execution 1").contains("FLOW");
        JsonNode document = json(wl(0, "show", "2", "--json"));
        assertThat(document.get("carried_over").findValuesAsString("step")).containsExactly("first");
        assertThat(document.get("flow").findValuesAsString("target")).containsExactly("second");
    }
}
