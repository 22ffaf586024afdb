package dev.weighlock.jobs.compile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.jobs.file.PageExamples;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every example of the page on job files runs as it stands there. */
class JobFilePageRunTest {
    @TempDir
    Path home;

    @Test
    void examples_runToTheirEnd() throws Exception {
        try (JobBench bench = new JobBench(home)) {
            Files.createDirectories(bench.folder.resolve("data"));
            bench.write("data/orders-1.csv", "o_id,o_nation,o_total\n1,DE,10.50\n2,FR,20.00\n3,DE,4.25\n");
            bench.write("data/orders-2.csv", "o_id,o_nation,o_total\n4,FR,-1.00\n5,käse,2.00\n");
            bench.write("data/items.csv", "id,name\n1,a\n2,b\n3,c\n4,d\n");
            DataSetFile.make(
                    bench.folder.resolve("data/nations.db"),
                    "CREATE TABLE nations AS FROM (VALUES ('DE', 'EUR'), ('FR', 'EUR'), ('SE', 'SEK')) t(code, currency)");
            bench.write("report.sql", "SELECT 1 AS one");
            bench.execute("CREATE TABLE orders (o_id INTEGER PRIMARY KEY, o_nation TEXT, o_total TEXT)");
            bench.execute("CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT)");

            for (String example : PageExamples.all()) {
                JobExecution execution = bench.run(example, Map.of());

                assertThat(execution.status())
                        .as("%s%n%s", execution.diagnostics(), example)
                        .isEqualTo(BatchStatus.COMPLETED);
            }

            assertThat(bench.queries.read(bench.folder, "out/neighbours.csv"))
                    .anySatisfy(row -> assertThat(row).contains("DE", "FR"));
            assertThat(bench.query("SELECT o_id || o_nation || o_total FROM orders ORDER BY o_id"))
                    .containsExactly("1DE10.50", "2FR20.00", "3DE4.25", "4FR-1.00", "5käse2.00");
            assertThat(bench.query("SELECT name FROM items")).containsExactly("a!", "d!");
        }
    }
}
