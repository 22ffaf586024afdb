package dev.weighlock.jobs.compile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.JobExecution;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SourceStepTest {
    private static final String JOB = """
        job: j
        parameters: {nation: {type: string}}
        steps:
          - id: s
            source:
              connection: shop
              sql: |
                SELECT o_id, o_nation, o_total, o_day, o_id * 2 AS twice FROM orders WHERE o_nation <> :nation; -- all but
              order_by: [o_id]
              output: {parquet: work/orders.parquet}
        """.replace("; -- all but", ";");

    @TempDir
    Path home;

    private JobBench bench() throws Exception {
        JobBench bench = new JobBench(home);
        bench.execute("CREATE TABLE orders (o_id INTEGER, o_nation TEXT, o_total DECIMAL(15,2), o_day DATE)");
        bench.execute("INSERT INTO orders VALUES (2, 'FR', 2, '2026-11-30'), (1, 'DE', 1.5, NULL), (3, 'US', 3, NULL)");
        return bench;
    }

    @Test
    void run_rows_becomeAFileInOrderWithTheirTypes() throws Exception {
        try (JobBench bench = bench()) {
            JobExecution execution = bench.run(JOB, Map.of("nation", "US"));

            assertThat(execution.status()).as("%s", execution.diagnostics()).isEqualTo(BatchStatus.COMPLETED);
            assertThat(bench.queries.read(bench.folder, "work/orders.parquet"))
                    .satisfies(lines -> assertThat(lines.getFirst())
                            .contains(
                                    "name=o_id, type=BIGINT",
                                    "type=VARCHAR",
                                    "type=DECIMAL(15,2)",
                                    "type=DATE",
                                    "name=twice"))
                    .endsWith("[1, DE, 1.50, null, 2]", "[2, FR, 2.00, 2026-11-30, 4]");
        }
    }

    @Test
    void run_orderThatIsNotUnique_isRefused() throws Exception {
        try (JobBench bench = bench()) {
            bench.execute("INSERT INTO orders VALUES (2, 'XX', 0, NULL)");

            JobExecution execution = bench.run(JOB, Map.of("nation", "US"));

            assertThat(execution.status()).isEqualTo(BatchStatus.FAILED);
            assertThat(bench.step(execution, "s").diagnostics().toString())
                    .contains("rows 2 and 3 are equal in 'order_by' [o_id]");
            assertThat(bench.folder.resolve("work/orders.parquet")).doesNotExist();
        }
    }

    @Test
    void run_orderByAnUnknownColumn_isRefused() throws Exception {
        try (JobBench bench = bench()) {
            JobExecution execution =
                    bench.run(JOB.replace("order_by: [o_id]", "order_by: [o_idd]"), Map.of("nation", "US"));

            assertThat(bench.step(execution, "s").diagnostics().toString()).contains("o_idd");
            assertThat(execution.status()).isEqualTo(BatchStatus.FAILED);
        }
    }

    @Test
    void run_sqlThatWrites_isRefusedByTheDatabase() throws Exception {
        try (JobBench bench = bench()) {
            String job = JOB.replaceAll(
                            "SELECT o_id, .*;", "DELETE FROM orders WHERE o_nation <> :nation RETURNING o_id")
                    .replace("order_by: [o_id]\n", "fetch: 10\n");

            JobExecution execution = bench.run(job, Map.of("nation", "US"));

            assertThat(execution.status()).isEqualTo(BatchStatus.FAILED);
            assertThat(bench.query("SELECT count(*) FROM orders")).containsExactly("3");
        }
    }

    @Test
    void run_valueThatIsNoneOfItsType_namesRowAndColumn() throws Exception {
        try (JobBench bench = bench()) {
            bench.execute("UPDATE orders SET o_total = 'much' WHERE o_id = 2");

            JobExecution execution = bench.run(JOB, Map.of("nation", "US"));

            assertThat(bench.step(execution, "s").diagnostics().toString())
                    .contains("row 2, column o_total: the value is no DECIMAL(15,2)");
        }
    }
}
