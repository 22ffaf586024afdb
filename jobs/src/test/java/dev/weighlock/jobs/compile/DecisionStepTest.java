package dev.weighlock.jobs.compile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.JobExecution;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DecisionStepTest {
    private static final String JOB = """
        job: decided
        parameters: {n: {type: long}}
        steps:
          - id: count
            query: {sql: "SELECT 7 AS amount"}
          - id: choose
            decision: {sql: "SELECT CASE WHEN :count_context_amount > :n THEN 'MANY' ELSE 'FEW' END"}
          - id: few
            query: {sql: "SELECT 'few' AS way"}
          - id: many
            query: {sql: "SELECT way FROM 'missing.csv'"}
        flow:
          choose: {MANY: many, FEW: few}
          few: COMPLETE
        """;

    @TempDir
    Path home;

    @Test
    void decision_bySql_choosesTheWay() throws Exception {
        try (JobBench bench = new JobBench(home)) {
            JobExecution execution = bench.run(JOB, Map.of("n", "9"));

            assertThat(execution.status()).as("%s", execution.diagnostics()).isEqualTo(BatchStatus.COMPLETED);
            assertThat(bench.statuses(execution)).containsOnlyKeys("count", "few");
        }
    }

    @Test
    void decision_onRestart_isNotMadeAgain() throws Exception {
        try (JobBench bench = new JobBench(home)) {
            JobExecution failed = bench.run(JOB, Map.of("n", "5"));
            assertThat(failed.status()).isEqualTo(BatchStatus.FAILED);
            bench.write("missing.csv", "way\nmany\n");

            JobExecution restarted = bench.restart(failed);

            assertThat(restarted.status()).as("%s", restarted.diagnostics()).isEqualTo(BatchStatus.COMPLETED);
            assertThat(bench.queries.texts())
                    .filteredOn(sql -> sql.contains("CASE"))
                    .hasSize(1);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SELECT 'a' AS a WHERE false        | gives no row instead of one text",
                "SELECT unnest(['A', 'B'])          | gives more than one value",
                "SELECT 'A', 'B'                    | gives more than one value",
                "SELECT CAST(NULL AS VARCHAR)       | gives no text",
                "SELECT 1                           | gives no text",
                "SELECT ' A '                       | gives a text that is no exit code",
                "SELECT repeat('x', 65)             | gives a text that is no exit code"
            })
    void decision_withoutOneText_failsNamingItsPlace(String sql, String message) throws Exception {
        try (JobBench bench = new JobBench(home)) {
            JobExecution execution = bench.run(
                    "job: j\nsteps:\n  - {id: d, decision: {sql: \"" + sql
                            + "\"}}\n  - {id: s, query: {sql: SELECT 1}}\n",
                    Map.of());

            assertThat(execution.status()).isEqualTo(BatchStatus.FAILED);
            assertThat(execution.diagnostics().orElseThrow()).contains("job.yaml:3: ", "'d'", message);
        }
    }

    @Test
    void decision_byClass_choosesTheWay() throws Exception {
        UserCode.SEEN.clear();
        try (JobBench bench = new JobBench(home)) {
            JobExecution execution = bench.run("""
                    job: j
                    steps:
                      - {id: d, decision: {class: "dev.weighlock.jobs.compile.UserCode$Left"}}
                      - {id: right, query: {sql: SELECT 1}}
                      - {id: left, query: {sql: SELECT 2}}
                    flow: {d: {LEFT: left, "*": right}}
                    """, Map.of());

            assertThat(execution.status()).isEqualTo(BatchStatus.COMPLETED);
            assertThat(bench.statuses(execution)).containsOnlyKeys("left");
            assertThat(UserCode.SEEN).containsExactly("decided");
        }
    }
}
