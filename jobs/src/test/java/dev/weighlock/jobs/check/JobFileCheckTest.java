package dev.weighlock.jobs.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.batch.JobParameters;
import dev.weighlock.jobs.config.Configuration;
import dev.weighlock.jobs.config.ConfigurationFile;
import dev.weighlock.jobs.yaml.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobFileCheckTest {
    private static final String JOB = """
        job: j
        steps:
          - {id: load, chunk: {read: {csv: data/o.csv, schema: {a: INT}}, write: {jdbc: {connection: shop, table: t}}}}
          - {id: report, query: {sql: SELECT 1, pool: default, output: {csv: out/r.csv}}}
        """;

    @TempDir
    Path folder;

    private JobFileCheck.Result check(String text, String settings) throws IOException {
        Path file = folder.resolve("job.yaml");
        Files.writeString(file, text);
        Files.writeString(folder.resolve("weighlock.yaml"), settings);
        Configuration configuration =
                ((ConfigurationFile.Read.Settings) ConfigurationFile.nearest(folder)).configuration();
        return JobFileCheck.check(file, configuration);
    }

    @Test
    void check_soundJob_drawsItsGraph() throws IOException {
        JobFileCheck.Result result = check(JOB, "connections: {shop: {url: \"sqlite:s.db\"}}");

        assertThat(result.errors()).isEmpty();
        assertThat(result.graph()).isEqualTo("""
            job j
              load (chunk data/o.csv -> shop.t)
                FAILED -> FAIL
                * -> report
              report (query -> out/r.csv)
                FAILED -> FAIL
                * -> COMPLETE
            """);
    }

    @Test
    void check_unknownConnectionAndPool_areErrorsWithLines() throws IOException {
        JobFileCheck.Result result =
                check(JOB.replace("pool: default", "pool: defualt"), "connections: {shopp: {url: \"sqlite:s.db\"}}");

        assertThat(result.errors())
                .extracting(Problem::line)
                .satisfiesExactly(
                        line -> assertThat(line)
                                .endsWith(
                                        "job.yaml:3: the step 'load' names the unknown connection 'shop'; did you mean"
                                                + " 'shopp'?"),
                        line -> assertThat(line)
                                .endsWith("job.yaml:4: the step 'report' names the unknown pool 'defualt'; did you mean"
                                        + " 'default'?"));
    }

    @Test
    void missingInputs_namedFileThatIsNotThere_isAProblem() throws IOException {
        JobFileCheck.Result result = check(JOB, "connections: {shop: {url: \"sqlite:s.db\"}}");
        var job = result.file().orElseThrow();

        assertThat(MissingInputs.of(job, JobParameters.NONE))
                .extracting(Problem::line)
                .singleElement()
                .asString()
                .endsWith("job.yaml:3: no file matches data/o.csv of the step 'load'; check the path or write"
                        + " on_missing: skip");
        Files.createDirectories(folder.resolve("data"));
        Files.writeString(folder.resolve("data/o.csv"), "a\n1\n");
        assertThat(MissingInputs.of(job, JobParameters.NONE)).isEmpty();
    }
}
