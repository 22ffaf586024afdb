package dev.weighlock.app.prove;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.app.command.WlProcess;
import dev.weighlock.app.command.WlProcess.Outcome;
import dev.weighlock.batch.jdbc.postgres.PostgresSchema;
import dev.weighlock.batch.jdbc.postgres.PostgresSettings;
import dev.weighlock.batch.testkit.EmbeddedDatabase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The real command: what it prints, keeps, removes and returns. */
class ProveCommandTest {
    private static final List<String> REPORTS =
            List.of("operator-stop", "phase-separation", "deadline-unjoined", "restart-after-cancellation");

    private static final Set<String> CAMPAIGN_TABLES = Set.of("node", "repository", "sqlite_sequence");

    @TempDir
    Path folder;

    private Path file() {
        return folder.resolve("jobs.db");
    }

    private Outcome wl(String... words) throws Exception {
        return WlProcess.run(folder, words);
    }

    private JsonNode report(String name) throws Exception {
        return JsonMapper.shared().readTree(Files.readString(folder.resolve("out/cancellation-" + name + ".json")));
    }

    @Test
    void cancellation_withoutARepository_passesOnATemporaryServerThatIsGoneAfterwards() throws Exception {
        Outcome outcome =
                wl("prove", "cancellation", "--out", "out", "--set", "deadlines=5s,6s,7s", "--set", "work=200ms");

        assertThat(outcome.code()).as(outcome.out() + outcome.err()).isZero();
        assertThat(outcome.out()).contains("(temporary)", "cancellation PASSED: 4 of 4");
        for (String name : REPORTS) {
            JsonNode report = report(name);
            assertThat(report.path("verdict").asString()).as(name).isEqualTo("PASSED");
            assertThat(report.path("violations").size()).isZero();
            assertThat(report.path("environment")
                            .path("repository")
                            .path("version")
                            .asString())
                    .startsWith("18");
            assertThat(report.path("environment")
                            .path("repository")
                            .path("durability")
                            .path("fsync")
                            .asString())
                    .isEqualTo("on");
        }
        assertThat(report("operator-stop")
                        .path("watcher")
                        .path("pause_between_looks_micros")
                        .asInt())
                .isLessThanOrEqualTo(5_000);
        assertThat(report("operator-stop")
                        .path("latencies")
                        .path("request_to_stopped_seen_micros")
                        .isNumber())
                .isTrue();
        assertThat(report("deadline-unjoined")
                        .path("drains")
                        .path("7s")
                        .path("expiring")
                        .path("unjoined")
                        .asInt())
                .isEqualTo(7);
        String url = report("operator-stop")
                .path("environment")
                .path("repository")
                .path("url")
                .asString();
        assertThat(wl("schema", "status", "--repository", url).code()).isEqualTo(7);
    }

    @Test
    void cancellation_onSomebodysFile_passesAndLeavesItsRowsAlone() throws Exception {
        Files.writeString(folder.resolve("answer.yaml"), """
            job: answer
            steps:
              - id: ask
                query: {sql: "SELECT 42 AS answer"}
            """);
        String place = "sqlite:" + file();
        assertThat(wl("run", "answer.yaml", "--repository", place).code()).isZero();
        Map<String, List<List<String>>> before = rows();

        Outcome outcome = wl(
                "prove",
                "cancellation",
                "--repository",
                place,
                "--out",
                "out",
                "--json",
                "--set",
                "deadlines=5s,6s,7s",
                "--set",
                "work=200ms");

        assertThat(outcome.code()).as(outcome.out() + outcome.err()).isZero();
        JsonNode document = JsonMapper.shared().readTree(outcome.out());
        assertThat(document.path("verdict").asString()).isEqualTo("PASSED");
        assertThat(document.path("reports").size()).isEqualTo(4);
        assertThat(report("phase-separation").path("unexamined").has("transaction_that_writes"))
                .isTrue();
        assertThat(rows()).isEqualTo(before);
    }

    /** Every row of the file but those of sequences. */
    private Map<String, List<List<String>>> rows() throws Exception {
        Map<String, List<List<String>>> all = new TreeMap<>();
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file());
                var statement = connection.createStatement()) {
            Set<String> tables = new TreeSet<>();
            try (var rows = statement.executeQuery("SELECT name FROM sqlite_master WHERE type = 'table'")) {
                while (rows.next()) {
                    tables.add(rows.getString(1));
                }
            }
            tables.remove("sqlite_sequence");
            assertThat(tables).contains("job", "node").doesNotContain("body");
            for (String table : tables) {
                try (var rows = statement.executeQuery("SELECT * FROM " + table)) {
                    List<List<String>> values = new ArrayList<>();
                    while (rows.next()) {
                        List<String> row = new ArrayList<>();
                        for (int column = 1; column <= rows.getMetaData().getColumnCount(); column++) {
                            row.add(String.valueOf(rows.getObject(column)));
                        }
                        values.add(row);
                    }
                    all.put(table, values);
                }
            }
        }
        return all;
    }

    @Tag("long")
    @ParameterizedTest
    @ValueSource(strings = {"", "sqlite:jobs.db"})
    void cancellation_inItsOwnShape_passes(String repository) throws Exception {
        List<String> words = new ArrayList<>(List.of("prove", "cancellation", "--out", "out"));
        if (!repository.isEmpty()) {
            words.addAll(List.of("--repository", repository));
        }

        Outcome outcome = wl(words.toArray(String[]::new));

        assertThat(outcome.code()).as(outcome.out() + outcome.err()).isZero();
        assertThat(report("deadline-unjoined")
                        .path("drains")
                        .path("30s")
                        .path("expiring")
                        .path("unjoined")
                        .asInt())
                .isEqualTo(7);
    }

    @Test
    void reportThatFails_isKeptAndSaidByTheExitCode() throws Exception {
        Outcome outcome = wl(
                "prove",
                "cancellation",
                "--repository",
                "sqlite:" + file(),
                "--out",
                "out",
                "--set",
                "limit=1ms",
                "--set",
                "deadlines=5s");

        assertThat(outcome.code()).as(outcome.err()).isEqualTo(1);
        assertThat(outcome.out()).contains("operator-stop  FAILED", "violation", "cancellation FAILED: 1 of 4");
        JsonNode report = report("operator-stop");
        assertThat(report.path("verdict").asString()).isEqualTo("FAILED");
        assertThat(report.path("violations").get(0).asString()).contains("no partition was seen committed");
        assertThat(report.path("environment").path("java").asString()).isNotEmpty();
        assertThat(report("deadline-unjoined").path("verdict").asString()).isEqualTo("PASSED");
    }

    @Test
    void signal_endsTheReportWhichIsKept_andRemovesItsRows_whileASecondCampaignWasRefused() throws Exception {
        Files.createDirectories(folder.resolve("out"));
        try (WlProcess prove = WlProcess.start(
                folder,
                Map.of(),
                "prove",
                "cancellation",
                "--repository",
                "sqlite:" + file(),
                "--out",
                "out",
                "--set",
                "work=1m")) {
            prove.awaitOut("cancellation on sqlite:");
            prove.awaitThat("a job runs", this::isRunning);
            Outcome second = wl("prove", "cancellation", "--repository", "sqlite:" + file(), "--out", "second");
            assertThat(second.code()).isEqualTo(5);
            assertThat(second.err()).contains("another campaign runs");

            prove.terminate();

            Outcome outcome = prove.await();
            assertThat(outcome.code()).as(outcome.out() + outcome.err()).isEqualTo(143);
        }
        assertThat(report("operator-stop").path("violations").get(0).asString()).contains("interrupted");
        assertThat(folder.resolve("out/cancellation-phase-separation.json")).doesNotExist();
        assertThat(rows().entrySet())
                .filteredOn(table -> !table.getValue().isEmpty())
                .extracting(Map.Entry::getKey)
                .isSubsetOf(CAMPAIGN_TABLES);
        assertThat(rows().get("node")).isEmpty();
    }

    private boolean isRunning() {
        if (!Files.exists(file())) {
            return false;
        }
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file());
                var statement = connection.createStatement();
                var rows =
                        statement.executeQuery("SELECT count(*) FROM partition_execution WHERE status = 'STARTED'")) {
            return rows.getInt(1) > 0;
        } catch (SQLException notYet) {
            return false;
        }
    }

    /** The report deadline-unjoined has no execution by which a campaign would be known. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void secondCampaign_isRefused_whileNoJobOfTheFirstOneRuns(boolean onServer) throws Exception {
        String url = "sqlite:" + file();
        if (onServer) {
            url = EmbeddedDatabase.url(EmbeddedDatabase.createDatabase());
            new PostgresSchema(PostgresSettings.of(url, () -> Optional.of(EmbeddedDatabase.USER), Optional::empty))
                    .migrate();
        }
        Map<String, String> user = Map.of("PGUSER", EmbeddedDatabase.USER);
        Path reports = folder.resolve("first");
        String[] first = words(url, "first", "30s");
        try (WlProcess prove = WlProcess.start(folder, user, first)) {
            prove.awaitThat("drains alone", () -> Files.exists(reports.resolve("cancellation-phase-separation.json")));

            try (WlProcess other = WlProcess.start(folder, user, words(url, "second", "1s"))) {
                Outcome second = other.await();
                assertThat(second.code()).as(second.out() + second.err()).isEqualTo(5);
                assertThat(second.err()).contains("another campaign runs in " + url);
            }
            prove.terminate();

            assertThat(prove.await().code()).isEqualTo(143);
        }
        assertThat(JsonMapper.shared()
                        .readTree(Files.readString(reports.resolve("cancellation-deadline-unjoined.json")))
                        .path("violations")
                        .size())
                .isEqualTo(1);
    }

    private static String[] words(String url, String out, String deadlines) {
        return new String[] {
            "prove",
            "cancellation",
            "--repository",
            url,
            "--out",
            out,
            "--set",
            "partitions=12",
            "--set",
            "work=100ms",
            "--set",
            "deadlines=" + deadlines
        };
    }

    @Test
    void usage_thatIsWrong_isRefusedBeforeAnythingBegins() throws Exception {
        Outcome none = wl("prove");
        assertThat(none.code()).isEqualTo(2);
        assertThat(none.err()).contains("cancellation", "--list");
        Outcome unknown = wl("prove", "cancelation");
        assertThat(unknown.code()).isEqualTo(2);
        assertThat(unknown.err()).contains("there is no campaign 'cancelation'");
        Outcome setting = wl("prove", "cancellation", "--set", "speed=9");
        assertThat(setting.code()).isEqualTo(2);
        assertThat(setting.err()).contains("no setting 'speed'", "deadlines");
        Outcome value = wl("prove", "cancellation", "--set", "work=fast", "--repository", "sqlite:" + file());
        assertThat(value.code()).isEqualTo(2);
        Outcome small = wl("prove", "cancellation", "--set", "pool=4", "--repository", "sqlite:" + file());
        assertThat(small.code()).isEqualTo(2);
        assertThat(small.err()).contains("pool", "a connection more");
        Outcome few = wl("prove", "soak", "--set", "cycles=4", "--repository", "sqlite:" + file());
        assertThat(few.code()).isEqualTo(2);
        assertThat(few.err()).contains("cycles", "8 or more");
        Outcome away = wl("prove", "cancellation", "--repository", "postgresql://localhost:1/none");
        assertThat(away.code()).isEqualTo(7);
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left.filter(Files::isRegularFile)).isEmpty();
        }
        Path plain = Files.writeString(folder.resolve("plain"), "");
        Outcome taken = wl("prove", "soak", "--repository", "sqlite:" + file(), "--out", plain.toString());
        assertThat(taken.code()).isEqualTo(2);
        assertThat(taken.err()).contains("plain is a file", "--out");
    }
}
