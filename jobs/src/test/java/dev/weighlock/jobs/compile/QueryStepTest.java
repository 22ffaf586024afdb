package dev.weighlock.jobs.compile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.FailureCategory;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.StepExecution;
import dev.weighlock.batch.run.RunningJob;
import dev.weighlock.query.backend.QueryRequest;
import dev.weighlock.query.engine.EngineStatement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QueryStepTest {
    private static final String HOSTILE = "'; DROP TABLE t; --\n\"\u202eä\uD83D\uDE00 {day}";

    /** Takes as long as the file says. */
    private static final String COUNTS_TO_N = """
        WITH RECURSIVE r(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM r WHERE i < (SELECT max(n) FROM 'n.csv'))
        SELECT count(*) AS c FROM r
        """;

    @TempDir
    Path home;

    private JobBench bench() throws IOException {
        return new JobBench(home);
    }

    private static EngineStatement statement(QueryRequest request) {
        return request.work().sql().orElseThrow();
    }

    private static List<String> files(Path folder) throws IOException {
        try (Stream<Path> found = Files.walk(folder)) {
            return found.filter(Files::isRegularFile)
                    .map(file -> folder.relativize(file).toString())
                    .filter(name -> !name.equals("job.yaml"))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void run_withOutput_publishesTheWholeFileAndRecordsItsDigest() throws Exception {
        String job = """
            job: j
            parameters: {day: {type: date}}
            steps:
              - id: report
                query: {sql: "SELECT :day AS d FROM range(2)", output: {csv: "out/report-{day}.csv"}, cap: 64MiB, pool: default, deadline: 5m, max_rows: 9}
            """;
        try (JobBench bench = bench()) {
            JobExecution execution = bench.run(job, Map.of("day", "2026-11-30"));

            assertThat(execution.status()).isEqualTo(BatchStatus.COMPLETED);
            assertThat(files(bench.folder)).containsExactly("out/report-2026-11-30.csv");
            assertThat(bench.evidence(bench.step(execution, "report")))
                    .contains("\"sha256\":\"", "\"rows\":2", "\"grant_bytes\":67108864", "report-2026-11-30.csv");
            QueryRequest request = bench.queries.requests.getFirst();
            assertThat(statement(request).values()).isEqualTo(Map.of("day", LocalDate.of(2026, 11, 30)));
            assertThat(request.limits())
                    .extracting("capBytes", "deadline", "maxRows")
                    .containsExactly(64L << 20, Duration.ofMinutes(5), 9L);
            assertThat(request.scope().baseDirectory()).isEqualTo(bench.folder);
        }
    }

    @Test
    void run_withoutOutput_keepsPreviewAndGivesASingleRowToLaterSteps() throws Exception {
        String job = """
            job: j
            steps:
              - {id: first, query: {sql: "SELECT 7 AS total"}}
              - {id: second, query: {sql: "SELECT :first_context_total", output: {csv: "o-{first.context.total}.csv"}}}
            """;
        try (JobBench bench = bench()) {
            JobExecution execution = bench.run(job, Map.of());

            assertThat(execution.status()).isEqualTo(BatchStatus.COMPLETED);
            assertThat(bench.evidence(bench.step(execution, "first")))
                    .contains("\"preview\":{\"columns\":", "\"rows\":[[7]]", "\"truncated\":false");
            assertThat(statement(bench.queries.requests.get(1)).values()).isEqualTo(Map.of("first_context_total", 7));
            assertThat(files(bench.folder)).containsExactly("o-7.csv");
        }
    }

    @Test
    void run_hostileValues_reachSqlBoundAndPathsEncoded() throws Exception {
        String job = """
            job: j
            parameters: {name: {type: string}}
            steps:
              - id: s
                partition: {by: "SELECT * FROM (VALUES (:name, DATE '1970-01-01'), ('../../etc', DATE '1970-01-01')) t(k, d)"}
                query: {sql: "SELECT :name AS a, :partition AS b, :partition_d AS c", output: {csv: "out/{partition}.csv"}}
            """;
        try (JobBench bench = bench()) {
            JobExecution execution = bench.run(job, Map.of("name", HOSTILE));

            assertThat(execution.status()).as("%s", execution.diagnostics()).isEqualTo(BatchStatus.COMPLETED);
            assertThat(bench.queries.texts().stream().distinct())
                    .hasSize(2)
                    .contains("SELECT :name AS a, :partition AS b, :partition_d AS c");
            assertThat(bench.queries.requests.stream()
                            .map(QueryStepTest::statement)
                            .map(EngineStatement::values))
                    .contains(Map.of("name", HOSTILE, "partition", HOSTILE, "partition_d", LocalDate.EPOCH));
            assertThat(files(bench.folder))
                    .hasSize(2)
                    .allSatisfy(name -> assertThat(name).matches("out/[A-Za-z0-9%._-]+\\.csv"));
        }
    }

    @Test
    void run_partitionKeysThatAreNullOrTwice_failThePlan() throws Exception {
        String job = """
            job: j
            steps:
              - {id: s, partition: {by: "SELECT 'a' AS k FROM range(2)"}, query: {sql: "SELECT :partition"}}
            """;
        try (JobBench bench = bench()) {
            JobExecution execution = bench.run(job, Map.of());

            assertThat(execution.status()).isEqualTo(BatchStatus.FAILED);
            assertThat(bench.step(execution, "s").diagnostics().toString())
                    .contains("row 2 of the SQL under 'by' has the key 'a' of an earlier row");
        }
    }

    @Test
    void run_failingQuery_failsTheStepAndLeavesTheOldFile() throws Exception {
        String job = """
            job: j
            steps:
              - {id: s, query: {sql: "SELECT x", output: {csv: o.csv}}}
            """;
        try (JobBench bench = bench()) {
            bench.write("o.csv", "old");

            JobExecution execution = bench.run(job, Map.of());

            StepExecution step = bench.step(execution, "s");
            assertThat(step.status()).isEqualTo(BatchStatus.FAILED);
            assertThat(step.failure().orElseThrow().category()).isEqualTo(FailureCategory.STEP_FAILED);
            assertThat(bench.evidence(step)).contains("\"error\":\"SQL_ERROR\"");
            assertThat(files(bench.folder)).containsExactly("o.csv");
            assertThat(bench.folder.resolve("o.csv")).hasContent("old");
        }
    }

    @Test
    void run_unwritableOutput_failsBeforeTheQueryRuns() throws Exception {
        String job = """
            job: j
            steps:
              - {id: s, query: {sql: "SELECT 1", output: {csv: out/o.csv}}}
            """;
        try (JobBench bench = bench()) {
            bench.write("out", "a file, not a folder");

            JobExecution execution = bench.run(job, Map.of());

            assertThat(execution.status()).isEqualTo(BatchStatus.FAILED);
            assertThat(bench.step(execution, "s").diagnostics().toString()).contains("cannot be written");
            assertThat(bench.queries.requests).isEmpty();
        }
    }

    @Test
    void stop_whileTheQueryRuns_cancelsItAndARestartNeedsOnlyTheRepository() throws Exception {
        String job = """
            job: j
            steps:
              - {id: s, query: {file: q.sql, output: {csv: o.csv}}}
            """;
        try (JobBench bench = bench()) {
            bench.write("n.csv", "n\n2000000000\n");
            bench.write("q.sql", COUNTS_TO_N);
            RunningJob run = bench.launch(job, Map.of());
            for (int tries = 0; !bench.queries.isRunning() && tries < 60_000; tries++) {
                TimeUnit.MILLISECONDS.sleep(1);
            }
            assertThat(bench.queries.isRunning()).isTrue();
            run.stop();
            JobExecution stopped = JobBench.ended(run);
            assertThat(stopped.status()).isEqualTo(BatchStatus.STOPPED);
            Files.delete(bench.folder.resolve("job.yaml"));
            Files.delete(bench.folder.resolve("q.sql"));
            bench.write("n.csv", "n\n3\n");

            JobExecution restarted = bench.restart(stopped);

            assertThat(restarted.status()).isEqualTo(BatchStatus.COMPLETED);
            assertThat(files(bench.folder)).containsExactly("n.csv", "o.csv");
        }
    }

    @Test
    void fingerprint_budgetsDoNotMatterAndSqlDoes() throws Exception {
        String job = """
            job: j
            steps:
              - {id: s, partition: {keys: [a, b], workers: 1}, query: {sql: "SELECT 1", cap: 64MiB, pool: p, deadline: 1m}}
            """;
        try (JobBench bench = bench()) {
            String fingerprint = bench.compile(job).fingerprint();

            assertThat(bench.compile(job.replace("cap: 64MiB, pool: p, deadline: 1m", "cap: 1GiB")
                                    .replace("workers: 1", "workers: 7"))
                            .fingerprint())
                    .isEqualTo(fingerprint);
            assertThat(bench.compile(job.replace("SELECT 1", "SELECT 2")).fingerprint())
                    .isNotEqualTo(fingerprint);
            assertThat(bench.compile(job.replace("[a, b]", "[a, c]")).fingerprint())
                    .isNotEqualTo(fingerprint);
        }
    }
}
