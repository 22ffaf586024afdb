package dev.weighlock.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.app.command.WlProcess.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The grant of a query as the engine sees it, and what meets a query that needs more. */
class GrantTest {
    private static final long MIB = 1 << 20;

    @TempDir
    Path folder;

    @Test
    void engineLimit_isTheGrantWithoutItsResultAllowance() throws Exception {
        write("""
                job: j
                steps:
                  - id: small
                    query: {sql: "SELECT current_setting('memory_limit') AS m", output: {csv: small.csv}, cap: 64MiB}
                  - id: large
                    query: {sql: "SELECT current_setting('memory_limit') AS m", output: {csv: large.csv}, cap: 320MiB}
                """);

        Outcome outcome = WlProcess.run(folder, "run", "job.yaml");

        assertThat(outcome.code()).as(outcome.err()).isZero();
        Shown shown = Shown.execution(folder, 1);
        for (String step : new String[] {"small", "large"}) {
            long grant = shown.step(step)
                    .path("evidence")
                    .path("query")
                    .path("grant_bytes")
                    .asLong();
            long engine = grant - Math.max(16 * MIB, grant / 8);
            assertThat(folder.resolve(step + ".csv")).hasContent("m\n" + engine / MIB + ".0 MiB\n");
        }
        assertThat(folder.resolve("large.csv")).hasContent("m\n280.0 MiB\n");
    }

    @Test
    void partition_needingMoreThanItsCap_failsAloneAndSaysWhatToDo() throws Exception {
        write("""
                job: j
                steps:
                  - id: texts
                    partition: {keys: ["10", "20", "4000000"], workers: 3, on_failure: drain}
                    query:
                      sql: |
                        SELECT length(string_agg(md5(range::VARCHAR), '')) AS n FROM range(CAST(:partition AS BIGINT))
                      output: {csv: "out/{partition}.csv"}
                      cap: 64MiB
                """);

        Outcome outcome = WlProcess.run(folder, "run", "job.yaml");

        Told.clearly(
                outcome, 1, "1 of 3 partitions failed: 4000000", "job.yaml:7", "cap of 64MiB", "give it a larger cap");
        assertThat(Told.files(folder)).containsExactly("job.yaml", "out/10.csv", "out/20.csv");
        assertThat(folder.resolve("out/20.csv")).hasContent("n\n640\n");
        JsonNode step = Shown.execution(folder, 1).step("texts");
        assertThat(step.path("partition_totals").path("completed").asLong()).isEqualTo(2);
        assertThat(step.path("partition_totals").path("failed").asLong()).isEqualTo(1);
    }

    private void write(String job) throws Exception {
        Files.writeString(folder.resolve("job.yaml"), job);
    }
}
