package dev.weighlock.jobs.compile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.StepCounts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TableStepTest {
    private static final String JOB = """
        job: load
        steps:
          - id: load
            chunk:
              read:  {csv: "data/orders-*.csv", schema: {o_id: BIGINT, o_nation: VARCHAR, o_total: "DECIMAL(15,2)"}}
              write: {jdbc: {connection: shop, table: orders, mode: insert}}
              size: 3
        """;

    @TempDir
    Path home;

    private JobBench bench() throws Exception {
        JobBench bench = new JobBench(home);
        bench.execute("CREATE TABLE orders (o_id INTEGER PRIMARY KEY, o_nation TEXT NOT NULL, o_total DECIMAL(15,2))");
        Files.createDirectories(bench.folder.resolve("data"));
        return bench;
    }

    private static String orders(int from, int to) {
        StringBuilder text = new StringBuilder("o_id,o_nation,o_total\n");
        for (int i = from; i <= to; i++) {
            text.append(i)
                    .append(",\"O'Hara; \"\"")
                    .append(i)
                    .append("\"\"\",")
                    .append(i)
                    .append(".50\n");
        }
        return text.toString();
    }

    @Test
    void run_files_loadsEveryRowOnce() throws Exception {
        try (JobBench bench = bench()) {
            bench.write("data/orders-1.csv", orders(1, 7));
            bench.write("data/orders-2.csv", orders(8, 10));

            JobExecution execution = bench.run(JOB, Map.of());

            assertThat(execution.status()).as("%s", execution.diagnostics()).isEqualTo(BatchStatus.COMPLETED);
            assertThat(bench.query("SELECT count(*) || ' ' || sum(o_total) FROM orders"))
                    .containsExactly("10 60.0");
            assertThat(bench.query("SELECT o_nation FROM orders WHERE o_id = 1"))
                    .containsExactly("O'Hara; \"1\"");
        }
    }

    @Test
    void run_lateBadValue_failsNamingItAndTheRestartGoesOnBehindTheLastCommit() throws Exception {
        try (JobBench bench = bench()) {
            bench.write("data/orders-1.csv", orders(1, 5));
            bench.write("data/orders-2.csv", orders(6, 10).replace("9.50", "nine"));

            JobExecution failed = bench.run(JOB, Map.of());

            assertThat(failed.status()).isEqualTo(BatchStatus.FAILED);
            assertThat(bench.step(failed, "load").diagnostics().toString())
                    .contains("data/orders-2.csv:5: column o_total: 'nine' is no DECIMAL(15,2)");
            assertThat(bench.query("SELECT count(*) FROM orders")).containsExactly("6");

            bench.write("data/orders-2.csv", orders(6, 10));
            JobExecution restarted = bench.restart(failed);

            assertThat(restarted.status()).as("%s", restarted.diagnostics()).isEqualTo(BatchStatus.COMPLETED);
            assertThat(bench.query("SELECT count(*) FROM orders")).containsExactly("10");
        }
    }

    @Test
    void run_badRecordsWithinTheSkipLimit_areLeftOutAndCounted() throws Exception {
        try (JobBench bench = bench()) {
            bench.write("data/orders-1.csv", orders(1, 8).replace("2.50", "two").replace("7.50", "seven"));

            JobExecution execution =
                    bench.run(JOB.replace("size: 3", "size: 3\n      skip: {limit: 2, on: [read]}"), Map.of());

            assertThat(execution.status()).as("%s", execution.diagnostics()).isEqualTo(BatchStatus.COMPLETED);
            StepCounts counts = bench.step(execution, "load").counts();
            assertThat(List.of(counts.read(), counts.written())).containsExactly(8L, 6L);
        }
    }

    @Test
    void run_missingFiles_failOrAreNoRows() throws Exception {
        try (JobBench bench = bench()) {
            JobExecution failed = bench.run(JOB, Map.of());
            assertThat(bench.step(failed, "load").diagnostics().toString())
                    .contains("no file matches data/orders-*.csv");

            JobExecution skipped = bench.run(
                    JOB.replace("job: load", "job: other").replace("\"}}", "\"}, on_missing: skip}"), Map.of());
            assertThat(skipped.status()).as("%s", skipped.diagnostics()).isEqualTo(BatchStatus.COMPLETED);
        }
    }

    @Test
    void run_upsertTwice_replacesRows() throws Exception {
        try (JobBench bench = bench()) {
            bench.write("data/orders-1.csv", orders(1, 4));
            bench.execute("INSERT INTO orders VALUES (2, 'old', 0)");

            JobExecution execution = bench.run(JOB.replace("mode: insert", "mode: upsert, key: [o_id]"), Map.of());

            assertThat(execution.status()).as("%s", execution.diagnostics()).isEqualTo(BatchStatus.COMPLETED);
            assertThat(bench.query("SELECT count(*) FROM orders WHERE o_nation <> 'old'"))
                    .containsExactly("4");
        }
    }

    @Test
    void run_guessedSchema_loadsByTheHeader() throws Exception {
        try (JobBench bench = bench()) {
            bench.write("data/orders-1.csv", "o_total,o_id,o_nation\n1.5,1,DE\n");
            String job = JOB.replaceAll(", schema: \\{.*}}\n", "}\n");

            JobExecution execution = bench.run(job, Map.of());

            assertThat(execution.status()).as("%s", execution.diagnostics()).isEqualTo(BatchStatus.COMPLETED);
            assertThat(bench.query("SELECT o_nation || o_total FROM orders")).containsExactly("DE1.5");
        }
    }
}
