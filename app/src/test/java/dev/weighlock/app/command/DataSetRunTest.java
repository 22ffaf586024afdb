package dev.weighlock.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.app.command.WlProcess.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import org.duckdb.DuckDBDriver;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Data sets of a job through the real program. */
class DataSetRunTest {
    @TempDir
    Path folder;

    @BeforeEach
    void makeFile() throws Exception {
        try (Connection connection = Objects.requireNonNull(
                        new DuckDBDriver().connect("jdbc:duckdb:" + folder.resolve("staff.db"), new Properties()));
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE staff AS SELECT i FROM range(5) t(i)");
        }
    }

    private Outcome run(String path) throws Exception {
        Files.writeString(folder.resolve("job.yaml"), """
            job: j
            cache: {staff: %s}
            steps:
              - id: pairs
                query: {sql: "SELECT count(*) AS n FROM cache.staff a JOIN cache.staff b USING (i)", output: {csv: out/n.csv}}
            """.formatted(path));
        return WlProcess.run(folder, "run", "job.yaml");
    }

    @Test
    void dataSet_withoutAShare_isRefusedWithTheSizeToSet_andThenRuns() throws Exception {
        Told.clearly(run("staff.db"), 3, "job.yaml:2", "the device has none", "devices: {host: {cache: 1MiB}}");
        assertThat(folder.resolve(".weighlock")).doesNotExist();

        Files.writeString(folder.resolve("weighlock.yaml"), "devices: {host: {cache: 1MiB}}\n");
        Outcome ran = run("staff.db");

        assertThat(ran.code()).as(ran.err()).isZero();
        assertThat(Files.readAllLines(folder.resolve("out/n.csv"))).isEqualTo(List.of("n", "5"));
    }

    @Test
    void dataSet_outsideTheFoldersOrMissing_isRefusedWithItsLine() throws Exception {
        Files.writeString(folder.resolve("weighlock.yaml"), "devices: {host: {cache: 1MiB}}\n");
        Told.clearly(run("../staff.db"), 3, "job.yaml:2", "outside the folders that may be read", "directories");
        Told.clearly(run("gone.db"), 2, "job.yaml:2", "'staff' has no file", "gone.db");
        assertThat(folder.resolve(".weighlock")).doesNotExist();
    }
}
