package dev.weighlock.jobs.compile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.JobExecution;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SplitStepTest {
    private static final String SPLIT = "  - {id: both, split: {branches: [[a, b], [c]], join: end, workers: 2}}\n";
    private static final String BRANCHES = """
          - {id: c, query: {sql: "SELECT 3 AS c"}}
          - {id: b, query: {sql: "SELECT :a_context_a + 1 AS b"}}
          - {id: a, query: {sql: "SELECT 1 AS a"}}
        """;
    private static final String JOIN = "  - {id: end, query: {sql: \"SELECT :b_context_b + :c_context_c AS total\"}}\n";

    @TempDir
    Path home;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void split_branchesDeclaredBeforeOrAfter_runsThemThenTheJoin(boolean before) throws Exception {
        String job = "job: j\nsteps:\n" + (before ? BRANCHES + SPLIT + JOIN : SPLIT + JOIN + BRANCHES);
        try (JobBench bench = new JobBench(home)) {
            JobExecution execution = bench.run(job, Map.of());

            assertThat(execution.status()).as("%s", execution.diagnostics()).isEqualTo(BatchStatus.COMPLETED);
            assertThat(bench.evidence(bench.step(execution, "end"))).contains("\"rows\":[[5]]");
        }
    }

    @Test
    void split_nested_goesOnInItsBranch() throws Exception {
        try (JobBench bench = new JobBench(home)) {
            JobExecution execution = bench.run("""
                    job: j
                    steps:
                      - {id: outer, split: {branches: [[inner, c], [d]], join: end, on_failure: drain}}
                      - {id: inner, split: {branches: [[a], [b]], join: c}}
                      - {id: a, query: {sql: "SELECT 1 AS x"}}
                      - {id: b, query: {sql: "SELECT 2 AS x"}}
                      - {id: c, query: {sql: "SELECT :a_context_x + :b_context_x AS x"}}
                      - {id: d, query: {sql: "SELECT 4 AS x"}}
                      - {id: end, query: {sql: "SELECT :c_context_x + :d_context_x AS x"}}
                    """, Map.of());

            assertThat(execution.status()).as("%s", execution.diagnostics()).isEqualTo(BatchStatus.COMPLETED);
            assertThat(bench.evidence(bench.step(execution, "end"))).contains("\"rows\":[[7]]");
        }
    }

    @Test
    void branch_fails_goesWhereTheSplitsFailedLeads() throws Exception {
        try (JobBench bench = new JobBench(home)) {
            JobExecution execution = bench.run("""
                    job: j
                    steps:
                      - {id: both, split: {branches: [[a], [b]], join: end}}
                      - {id: a, query: {sql: "SELECT x FROM 'nothing.csv'"}}
                      - {id: b, query: {sql: "SELECT 2 AS x"}}
                      - {id: end, query: {sql: "SELECT 3"}}
                      - {id: repair, query: {sql: "SELECT 4"}}
                    flow:
                      both: {FAILED: repair, "*": end}
                      end: COMPLETE
                    """, Map.of());

            assertThat(execution.status()).as("%s", execution.diagnostics()).isEqualTo(BatchStatus.COMPLETED);
            assertThat(bench.statuses(execution))
                    .containsEntry("a", BatchStatus.FAILED)
                    .containsEntry("repair", BatchStatus.COMPLETED)
                    .doesNotContainKey("end");
        }
    }
}
