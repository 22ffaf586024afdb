package dev.weighlock.jobs.compile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.run.RunningJob;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataSetJobTest {
    @TempDir
    Path home;

    private static String selfJoin(String job, String file) {
        return """
            job: %s
            cache: {staff: data/%s}
            steps:
              - id: bosses
                query:
                  sql: |
                    SELECT a.name || '<' || b.name AS pair
                    FROM cache.staff a JOIN cache.staff b ON b.id = a.boss ORDER BY 1
                  output: {csv: "out/%s.csv"}
            """.formatted(job, file, job);
    }

    @Test
    void dataSet_joinedToItself_givesItsRows_toEachJobItsOwn() throws Exception {
        try (JobBench bench = new JobBench(home)) {
            Files.createDirectories(bench.folder.resolve("data"));
            DataSetFile.make(
                    bench.folder.resolve("data/one.db"),
                    "CREATE TABLE staff AS FROM (VALUES (1, 'ann', NULL), (2, 'bob', 1), (3, 'cy', 2)) t(id, name, boss)");
            DataSetFile.make(
                    bench.folder.resolve("data/two.db"),
                    "CREATE TABLE staff AS FROM (VALUES (1, 'zoe', 1)) t(id, name, boss)");

            RunningJob one = bench.launch(selfJoin("one", "one.db"), Map.of());
            RunningJob two = bench.launch(selfJoin("two", "two.db"), Map.of());

            assertThat(JobBench.ended(one).status()).isEqualTo(BatchStatus.COMPLETED);
            assertThat(JobBench.ended(two).status()).isEqualTo(BatchStatus.COMPLETED);
            assertThat(bench.queries.read(bench.folder, "out/one.csv"))
                    .last()
                    .asString()
                    .contains("cy<bob");
            assertThat(bench.queries.read(bench.folder, "out/one.csv")).hasSize(3);
            assertThat(bench.queries.read(bench.folder, "out/two.csv"))
                    .last()
                    .asString()
                    .contains("zoe<zoe");
        }
    }

    @Test
    void dataSet_ofAnotherJob_isUnknown() throws Exception {
        try (JobBench bench = new JobBench(home)) {
            JobExecution execution =
                    bench.run("job: j\nsteps:\n  - id: a\n    query: {sql: SELECT * FROM cache.staff}\n", Map.of());

            assertThat(execution.status()).isEqualTo(BatchStatus.FAILED);
            assertThat(execution.diagnostics().toString()).contains("no data set staff is declared");
        }
    }
}
