package dev.weighlock.jobs.compile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.PartitionExecution;
import dev.weighlock.batch.PartitionStatus;
import dev.weighlock.batch.run.RunningJob;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Partitions that SQL plans: the plan is stored once, and its keys are values, never text. */
class PartitionStepTest {
    private static final String JOB = """
        job: j
        parameters: {day: {type: string, default: d}}
        steps:
          - id: parts
            partition: {by: "SELECT key, amount FROM 'plan.csv' ORDER BY key", workers: 2, on_failure: drain}
            query:
              sql: |
                SELECT CAST(:partition AS VARCHAR) AS key, 10 // amount AS share FROM 'plan.csv' WHERE key = :partition
              output: {csv: "out/{partition}.csv"}
        """;

    @TempDir
    Path home;

    private static List<String> keys(List<PartitionExecution> partitions, PartitionStatus status) {
        return partitions.stream()
                .filter(partition -> partition.status() == status)
                .map(PartitionExecution::key)
                .toList();
    }

    private static List<String> files(JobBench bench) throws Exception {
        try (Stream<Path> files = Files.list(bench.folder.resolve("out"))) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void planner_thatFails_isCalledAgainOnRestart() throws Exception {
        try (JobBench bench = new JobBench(home)) {
            JobExecution failed = bench.run(JOB, Map.of());
            assertThat(failed.status()).isEqualTo(BatchStatus.FAILED);
            assertThat(bench.partitions(failed, "parts")).isEmpty();
            bench.write("plan.csv", "key,amount\na,1\nb,2\n");

            JobExecution ended = bench.restart(failed);

            assertThat(ended.status()).as("%s", ended.diagnostics()).isEqualTo(BatchStatus.COMPLETED);
            assertThat(files(bench)).containsExactly("a.csv", "b.csv");
        }
    }

    @Test
    void plan_ofFour_staysFourThoughDataAndWorkersChange() throws Exception {
        try (JobBench bench = new JobBench(home)) {
            bench.write("plan.csv", "key,amount\na,1\nb,0\nc,0\nd,4\n");
            String job = JOB.replace("10 // amount", "CAST(CASE WHEN amount = 0 THEN 'none' ELSE '1' END AS INTEGER)");
            JobExecution failed = bench.run(job, Map.of());
            assertThat(failed.status()).isEqualTo(BatchStatus.FAILED);
            assertThat(keys(bench.partitions(failed, "parts"), PartitionStatus.COMPLETED))
                    .containsExactly("a", "d");
            bench.write("plan.csv", "key,amount\na,9\nb,9\nc,9\nd,9\ne,9\nf,9\n");
            long asked = bench.queries.requests.size();

            JobExecution ended = bench.run(job.replace("workers: 2", "workers: 9"), Map.of());

            assertThat(ended.status()).as("%s", ended.diagnostics()).isEqualTo(BatchStatus.COMPLETED);
            assertThat(keys(bench.partitions(ended, "parts"), PartitionStatus.COMPLETED))
                    .containsExactly("a", "b", "c", "d");
            assertThat(bench.queries.requests.size() - asked).isEqualTo(2);
            assertThat(files(bench)).containsExactly("a.csv", "b.csv", "c.csv", "d.csv");
        }
    }

    @Test
    void plan_withoutRows_completesWithZeroCounts() throws Exception {
        try (JobBench bench = new JobBench(home)) {
            bench.write("plan.csv", "key,amount\n");

            JobExecution ended = bench.run(JOB, Map.of());

            assertThat(ended.status()).as("%s", ended.diagnostics()).isEqualTo(BatchStatus.COMPLETED);
            assertThat(bench.partitions(ended, "parts")).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SELECT NULL                             | row 1 of the SQL under 'by' has NULL as its key",
                "SELECT unnest(['a', NULL])              | row 2 of the SQL under 'by' has NULL as its key",
                "SELECT unnest(['a', 'b', 'a'])          | row 3 of the SQL under 'by' has the key 'a' of an earlier row",
                "SELECT ''                               | is not of 1 to 128 bytes",
                "SELECT repeat('ä', 65)                  | is not of 1 to 128 bytes",
                "SELECT 'a', repeat('x', 5000)           | is over 4 KiB"
            })
    void plan_withABadKey_isRefusedBeforeAnyWorker(String by, String message) throws Exception {
        try (JobBench bench = new JobBench(home)) {
            JobExecution ended = bench.run("""
                    job: j
                    steps:
                      - id: parts
                        partition: {by: "%s"}
                        query: {sql: "SELECT :partition AS key", output: {csv: "out/{partition}.csv"}}
                    """.formatted(by), Map.of());

            assertThat(ended.status()).isEqualTo(BatchStatus.FAILED);
            assertThat(ended.diagnostics().orElseThrow()).contains(message);
            assertThat(bench.partitions(ended, "parts")).isEmpty();
            assertThat(bench.folder.resolve("out")).doesNotExist();
        }
    }

    @Test
    void keys_ofEveryKind_giveTheirRowsAndOneFileEach() throws Exception {
        try (JobBench bench = new JobBench(home)) {
            bench.write("plan.csv", """
                    key,amount
                    eu/west,1
                    käse,1
                    KÄSE,1
                    ..,1
                    .hidden,1
                    "a'; DROP TABLE x; --",1
                    "line
                    end",1
                    %41,1
                    A,1
                    a,1
                    {partition},1
                    """);

            JobExecution ended = bench.run(JOB, Map.of());

            assertThat(ended.status()).as("%s", ended.diagnostics()).isEqualTo(BatchStatus.COMPLETED);
            assertThat(files(bench))
                    .containsExactly(
                            "%2541.csv",
                            "%2E..csv",
                            "%2Ehidden.csv",
                            "%7Bpartition%7D.csv",
                            "A.csv",
                            "K%C3%84SE.csv",
                            "a%27%3B%20DROP%20TABLE%20x%3B%20--.csv",
                            "a.csv",
                            "eu%2Fwest.csv",
                            "k%C3%A4se.csv",
                            "line%0Aend.csv");
            assertThat(Files.readString(bench.folder.resolve("out/a%27%3B%20DROP%20TABLE%20x%3B%20--.csv")))
                    .isEqualTo("key,share\na'; DROP TABLE x; --,10\n");
            assertThat(Files.readString(bench.folder.resolve("out/A.csv"))).isEqualTo("key,share\nA,10\n");
        }
    }

    @Test
    void stop_whileSqlPlans_isStoppedNotFailed() throws Exception {
        String endless = "SELECT CAST(sum(a.range * b.range) AS VARCHAR) FROM range(200000) a, range(50000) b";
        try (JobBench bench = new JobBench(home)) {
            RunningJob run = bench.launch("""
                    job: j
                    steps:
                      - id: parts
                        partition: {by: "%s"}
                        query: {sql: "SELECT :partition AS key", output: {csv: "out/{partition}.csv"}}
                    """.formatted(endless), Map.of());
            while (!bench.queries.isRunning()) {
                Thread.onSpinWait();
            }

            run.stop();
            JobExecution ended = JobBench.ended(run);

            assertThat(ended.status()).isEqualTo(BatchStatus.STOPPED);
            assertThat(bench.statuses(ended)).containsEntry("parts", BatchStatus.STOPPED);
        }
    }

    @Test
    void chunksInPartitions_eachReadTheirFileAndKeepTheirPlace() throws Exception {
        try (JobBench bench = new JobBench(home)) {
            bench.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT)");
            bench.write("in-a.csv", "id,name\n1,a\n2,a\n3,a\n");
            bench.write("in-b.csv", "id,name\n4,b\nfive,b\n6,b\n");
            String job = """
                    job: j
                    steps:
                      - id: load
                        partition: {keys: [a, b], workers: 2, on_failure: drain}
                        chunk:
                          read:  {csv: "in-{partition}.csv", schema: {id: BIGINT, name: VARCHAR}}
                          write: {jdbc: {connection: shop, table: t}}
                          size: 1
                    """;
            JobExecution failed = bench.run(job, Map.of());
            assertThat(failed.status()).isEqualTo(BatchStatus.FAILED);
            assertThat(bench.query("SELECT id FROM t ORDER BY id")).containsExactly("1", "2", "3", "4");
            bench.write("in-b.csv", "id,name\n4,b\n5,b\n6,b\n");

            JobExecution ended = bench.restart(failed);

            assertThat(ended.status()).as("%s", ended.diagnostics()).isEqualTo(BatchStatus.COMPLETED);
            assertThat(bench.query("SELECT id FROM t ORDER BY id")).containsExactly("1", "2", "3", "4", "5", "6");
        }
    }
}
