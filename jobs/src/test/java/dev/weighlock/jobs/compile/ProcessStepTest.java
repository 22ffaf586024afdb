package dev.weighlock.jobs.compile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.StepCounts;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What happens to items between reading and writing, and how chunks are tried again, skipped and delivered. */
class ProcessStepTest {
    private static final String USER = "dev.weighlock.jobs.compile.UserCode$";
    private static final String JOB = """
        job: j
        parameters: {low: {type: long, default: 1}, word: {type: string, default: x}}
        steps:
          - id: load
            chunk:
              read:  {csv: in.csv, schema: {id: BIGINT, name: VARCHAR, price: "DECIMAL(9,2)", made: TIMESTAMP, note: VARCHAR}}
              write: {jdbc: {connection: shop, table: t}}
              size: 3
        """;

    @TempDir
    Path home;

    private JobBench bench() throws Exception {
        JobBench bench = new JobBench(home);
        bench.execute("CREATE TABLE t (id INTEGER, name TEXT, price TEXT, made TEXT, note TEXT, twice TEXT)");
        StringBuilder csv = new StringBuilder("id,name,price,made,note\n");
        for (int id = 1; id <= 7; id++) {
            csv.append(id)
                    .append(",\"n'\"\"")
                    .append(id)
                    .append("; --\",")
                    .append(id)
                    .append(".50,2026-11-30T06:0")
                    .append(id)
                    .append(",\n");
        }
        bench.write("in.csv", csv.toString());
        return bench;
    }

    private static String with(String keys) {
        return JOB + keys.indent(6);
    }

    private static StepCounts counts(JobBench bench, JobExecution execution) {
        assertThat(execution.status()).as("%s", execution.diagnostics()).isEqualTo(BatchStatus.COMPLETED);
        return bench.step(execution, "load").counts();
    }

    @Test
    void expressions_filterAndChangeItems() throws Exception {
        try (JobBench bench = bench()) {
            JobExecution execution = bench.run(with("""
                        process:
                          where: "id > :low AND made < TIMESTAMP '2026-11-30 06:07:00' -- and no more"
                          set:
                            name: upper(name) || :word
                            twice: |
                              price * 2 -- doubled
                        """), Map.of("word", "'; DROP TABLE t; --"));

            StepCounts counts = counts(bench, execution);
            assertThat(List.of(counts.read(), counts.written(), counts.filtered()))
                    .containsExactly(7L, 5L, 2L);
            assertThat(bench.query(
                            "SELECT id || '|' || name || '|' || twice || '|' || made || '|' || (note IS NULL) FROM t"
                                    + " ORDER BY id LIMIT 1"))
                    .containsExactly("2|N'\"2; --'; DROP TABLE t; --|5.00|2026-11-30 06:02:00.000000|1");
        }
    }

    @Test
    void expressions_badItem_isSkippedAlone() throws Exception {
        try (JobBench bench = bench()) {
            JobExecution execution = bench.run(with("""
                        process: {set: {twice: "1 / (id - 3) + CAST(substr('abc12', 3 + id) AS INT)"}}
                        skip: {limit: 7, on: [process]}
                        """), Map.of());

            StepCounts counts = counts(bench, execution);
            assertThat(counts.processSkips()).isPositive();
            assertThat(counts.read()).isEqualTo(counts.written() + counts.processSkips());
        }
    }

    @Test
    void expressions_wrong_failNamingTheirLine() throws Exception {
        try (JobBench bench = bench()) {
            JobExecution execution = bench.run(with("process: {where: nothing > 1}\n"), Map.of());

            assertThat(execution.status()).isEqualTo(BatchStatus.FAILED);
            assertThat(execution.diagnostics().orElseThrow()).contains("job.yaml:9: ", "\"nothing\"");
            assertThat(bench.query("SELECT count(*) FROM t")).containsExactly("0");
        }
    }

    @Test
    void processClass_changesFiltersAndSkipsByItsOwnException() throws Exception {
        try (JobBench bench = bench()) {
            JobExecution execution = bench.run(
                    with("process: {class: \"%sChanging\"}\nskip: {limit: 1, on: [process, \"%sBadOrder\"]}\n"
                            .formatted(USER, USER)),
                    Map.of());

            StepCounts counts = counts(bench, execution);
            assertThat(List.of(counts.written(), counts.filtered(), counts.processSkips()))
                    .containsExactly(5L, 1L, 1L);
            assertThat(bench.query("SELECT name FROM t WHERE id = 1")).containsExactly("n'\"1; --!");
        }
    }

    @Test
    void skip_byAnotherClass_failsTheStep() throws Exception {
        try (JobBench bench = bench()) {
            JobExecution execution = bench.run(
                    with("process: {class: \"%sChanging\"}\nskip: {limit: 5, on: [java.io.IOException]}\n"
                            .formatted(USER)),
                    Map.of());

            assertThat(execution.status()).isEqualTo(BatchStatus.FAILED);
            assertThat(execution.diagnostics().orElseThrow()).contains("order 3 is bad");
        }
    }

    @Test
    void retry_onAnotherClass_triesOnce_onItsOwnTriesAgain() throws Exception {
        try (JobBench bench = bench()) {
            bench.execute("DROP TABLE t");
            String retry = "retry: {limit: 2, on: [%s], backoff: {initial: 1ms}}\n";

            JobExecution once = bench.run(with(retry.formatted("java.io.IOException")), Map.of("word", "a"));
            JobExecution again = bench.run(with(retry.formatted("java.lang.Exception")), Map.of("word", "b"));

            assertThat(List.of(once.status(), again.status())).containsOnly(BatchStatus.FAILED);
            assertThat(bench.step(once, "load").counts().rollbacks()).isEqualTo(1);
            assertThat(bench.step(again, "load").counts().rollbacks()).isEqualTo(3);
        }
    }

    @Test
    void atLeastOnce_needsNoCheckpointAndIsRecorded() throws Exception {
        try (JobBench bench = bench()) {
            String job = with("delivery: at_least_once\n");

            StepCounts counts = counts(bench, bench.run(job, Map.of()));

            assertThat(counts.written()).isEqualTo(7);
            assertThat(bench.query("SELECT count(*) FROM t")).containsExactly("7");
            assertThat(bench.query("SELECT count(*) FROM sqlite_master WHERE name = 'weighlock_checkpoint'"))
                    .containsExactly("0");
            assertThat(bench.compile(job).manifest().text()).contains("\"at_least_once\"");
            assertThat(bench.compile(job).atLeastOnceSteps()).hasSize(1);
        }
    }

    @Test
    void listeners_ofAChunkStep_hearOfStepAndChunks() throws Exception {
        UserCode.SEEN.clear();
        try (JobBench bench = bench()) {
            String job = JOB.replace("  - id: load\n", "  - id: load\n    listeners: [\"" + USER + "Watching\"]\n");

            bench.run(job, Map.of());

            assertThat(UserCode.SEEN)
                    .containsExactly("before load", "chunk 3", "chunk 6", "chunk 7", "after COMPLETED");
        }
    }

    @Test
    void startLimitAndAllowStartIfComplete_holdOverRestarts() throws Exception {
        try (JobBench bench = bench()) {
            String job = """
                    job: j
                    steps:
                      - {id: again, allow_start_if_complete: true, query: {sql: "SELECT 1 AS x"}}
                      - {id: limited, start_limit: 2, query: {sql: "SELECT x FROM 'nothing.csv'"}}
                    """;
            JobExecution first = bench.run(job, Map.of());
            JobExecution second = bench.restart(first);
            JobExecution third = bench.restart(second);

            assertThat(bench.statuses(second)).containsOnlyKeys("again", "limited");
            assertThat(bench.statuses(third)).containsOnlyKeys("again");
            assertThat(third.diagnostics().orElseThrow()).contains("limit is 2");
        }
    }
}
