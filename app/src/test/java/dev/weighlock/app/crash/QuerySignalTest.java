package dev.weighlock.app.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.app.command.WlProcess;
import dev.weighlock.app.command.WlProcess.Outcome;
import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.PartitionStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** SIGTERM while queries run and wait, and while one runs in an engine that does not listen. */
class QuerySignalTest {
    private static final int TERMINATED = 143;

    /** One call of a function that the engine does not interrupt, of a minute or more. */
    private static final String DEAF =
            "SELECT levenshtein(repeat(chr(97 + r::INT), 400000), repeat('b', 400000)) AS d FROM range(1) t(r)";

    @TempDir
    Path folder;

    @Test
    void terminate_whileQueriesRunAndWait_cancelsAllAndReportsEach() throws Exception {
        write("devices: {host: {max_active: 2}}\n", """
                    partition: {keys: [a, b, c], workers: 3}
                    query:
                      sql: SELECT sum(x.range * y.range) AS s, :partition AS p FROM range(1000000) x, range(100000) y
                      output: {csv: "out/{partition}.csv"}
                      cap: 64MiB
                """);
        try (WlProcess run = WlProcess.start(folder, Map.of(), "run", "job.yaml")) {
            run.awaitThat(
                    "two queries run and one waits",
                    () -> started() == 3 && spillFolders().size() == 2);
            run.terminate();
            Outcome ended = run.await();

            assertThat(ended.code()).as(ended.err()).isEqualTo(TERMINATED);
            assertThat(ended.err()).doesNotContain("tasks", "holds");
        }
        assertThat(recorded().status(1)).isEqualTo(BatchStatus.STOPPED);
        assertThat(recorded().partitions(1, "work")).hasSize(3).containsOnly(PartitionStatus.STOPPED);
        List<JsonNode> reports = reports();
        assertThat(reports)
                .hasSize(3)
                .allSatisfy(
                        report -> assertThat(report.path("outcome").asString()).isEqualTo("CANCELLED"));
        // The one that waits is admitted for a moment where another has gone before its own cancel comes.
        assertThat(reports.stream()
                        .map(report -> report.path("capacity").asString())
                        .sorted()
                        .toList())
                .isIn(List.of("NOT_ADMITTED", "RELEASED", "RELEASED"), List.of("RELEASED", "RELEASED", "RELEASED"));
        assertThat(spillFolders()).isEmpty();
        assertThat(folder.resolve("out").toFile().list()).isNullOrEmpty();
    }

    @Test
    void terminateTwice_whileTheEngineIsDeaf_endsByItselfNamesWhatIsHeldAndStoresTheReport() throws Exception {
        write("logs: {keep: 30d}\n", "    query: {sql: \"" + DEAF + "\", output: {parquet: d.parquet}, cap: 64MiB}\n");
        try (WlProcess run = WlProcess.start(folder, Map.of(), "run", "job.yaml")) {
            run.awaitThat("the query runs", () -> isBegun("d.parquet"));
            run.terminate();
            run.awaitThat("STOPPING", () -> recorded().status(1) == BatchStatus.STOPPING);
            run.terminate();
            Outcome ended = run.await();

            assertThat(ended.code()).as(ended.err()).isEqualTo(TERMINATED);
            assertThat(ended.err()).contains("tasks were not waited for any more", "still holds the query job/work");
        }
        assertThat(recorded().status(1)).isEqualTo(BatchStatus.STOPPED);
        assertThat(reports())
                .singleElement()
                .satisfies(
                        report -> assertThat(report.path("capacity").asString()).isEqualTo("RETAINED_QUARANTINE"));
    }

    @Test
    void terminate_ofAQuery_cancelsItAndLeavesNothing() throws Exception {
        try (WlProcess query = WlProcess.start(
                folder,
                Map.of(),
                "query",
                "SELECT sum(a.range * b.range) AS s FROM range(200000) a, range(5000000) b",
                "--format",
                "parquet",
                "-o",
                "s.parquet")) {
            query.awaitThat("it runs", () -> isBegun("s.parquet"));
            query.terminate();
            Outcome ended = query.await();

            assertThat(ended.code()).as(ended.err()).isEqualTo(TERMINATED);
            assertThat(ended.err()).contains("stopping").doesNotContain("holds");
        }
        assertThat(files()).isEmpty();
    }

    @Test
    void kill_ofAnArrowQuery_leavesWhatTheNextOneSweeps() throws Exception {
        try (WlProcess query = WlProcess.start(
                folder,
                Map.of(),
                "query",
                "SELECT sum(a.range * b.range) AS s FROM range(200000) a, range(5000000) b",
                "--format",
                "arrow",
                "-o",
                "s.arrow")) {
            query.awaitThat("it runs", () -> isBegun("s.arrow"));
            query.kill();
            query.await();
        }
        assertThat(files()).hasSize(1).doesNotContain(folder.resolve("s.arrow"));

        Outcome next = WlProcess.run(folder, "query", "SELECT 42 AS n", "--format", "arrow", "-o", "s.arrow");

        assertThat(next.code()).as(next.err()).isZero();
        assertThat(files()).containsExactly(folder.resolve("s.arrow"));
    }

    @Test
    void terminateTwice_ofADeafQuery_endsByItselfAndNamesIt() throws Exception {
        try (WlProcess query =
                WlProcess.start(folder, Map.of(), "query", DEAF, "--format", "parquet", "-o", "d.parquet")) {
            query.awaitThat("it runs", () -> isBegun("d.parquet"));
            query.terminate();
            query.awaitErr("stopping");
            query.terminate();
            Outcome ended = query.await();

            assertThat(ended.code()).as(ended.err()).isEqualTo(TERMINATED);
            assertThat(ended.err()).contains("still holds the query wl query");
        }
    }

    private void write(String settings, String step) throws IOException {
        Files.writeString(folder.resolve("weighlock.yaml"), settings);
        Files.writeString(folder.resolve("job.yaml"), "job: job\nsteps:\n  - id: work\n" + step.indent(0));
    }

    private ShopRecord recorded() {
        return new ShopRecord(folder.resolve(".weighlock/repository.db"));
    }

    private long started() {
        return Files.exists(folder.resolve(".weighlock/repository.db"))
                        && !recorded().isEmpty()
                ? recorded().partitions(1, "work").stream()
                        .filter(PartitionStatus.STARTED::equals)
                        .count()
                : 0;
    }

    /** One for each instance of the engine that is open. */
    private List<Path> spillFolders() {
        Path spill = folder.resolve(".weighlock/spill");
        try (Stream<Path> below = Files.exists(spill) ? Files.walk(spill) : Stream.empty()) {
            return below.filter(path -> path.getFileName().toString().startsWith("instance-"))
                    .toList();
        } catch (IOException vanished) {
            return List.of();
        }
    }

    private List<Path> files() {
        try (Stream<Path> below = Files.list(folder)) {
            return below.toList();
        } catch (IOException vanished) {
            return List.of();
        }
    }

    /** The engine begins a file when it begins to execute. */
    private boolean isBegun(String name) {
        return files().stream().anyMatch(file -> file.getFileName().toString().contains(name));
    }

    /** What the record says of each query of the one execution. */
    private List<JsonNode> reports() throws Exception {
        Outcome shown = WlProcess.run(folder, "show", "1", "--json", "--all");
        assertThat(shown.code()).as(shown.err()).isZero();
        JsonNode document = JsonMapper.builder().build().readTree(shown.out());
        return document.findValues("query");
    }
}
