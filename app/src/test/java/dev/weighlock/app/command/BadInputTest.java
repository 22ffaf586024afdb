package dev.weighlock.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.app.command.WlProcess.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteDataSource;

/** Wrong files, parameters, SQL and data through the real program: one clear message, its exit code, nothing half-written. */
class BadInputTest {
    private static final String STEP = "    query: {sql: \"SELECT 1 AS one\", output: {csv: %s.csv}}\n";

    @TempDir
    Path folder;

    @Test
    void unknownKey_isRefusedWithTheNearestOne() throws Exception {
        refused(
                "job: j\nsteps:\n  - id: a\n    query: {sql: SELECT 1, outputt: {csv: a.csv}}\n",
                "job.yaml:4",
                "outputt",
                "'output'");
    }

    @Test
    void missingJobFile_isRefusedByName() throws Exception {
        Told.clearly(wl("run", "nothing.yaml"), 2, "nothing.yaml", "does not exist", "check its name");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void outputOutsideTheFolders_isRefusedByARule() throws Exception {
        write("job: j\nsteps:\n  - id: a\n    query: {sql: SELECT 1, output: {csv: ../x.csv}}\n");

        Told.clearly(wl("run", "job.yaml"), 3, "job.yaml:3", "outside the folders", "directories");
        assertThat(folder.resolve(".weighlock")).doesNotExist();
    }

    @Test
    void sameNameInAnotherFile_isRefusedNamingTheFirst() throws Exception {
        write("job: j\nsteps:\n  - id: a\n    query: {sql: SELECT x FROM 'nothing.csv'}\n");
        assertThat(wl("run", "job.yaml").code()).isEqualTo(1);
        Files.writeString(folder.resolve("other.yaml"), "job: j\nsteps:\n  - id: b\n    query: {sql: SELECT 1}\n");

        Told.clearly(
                wl("run", "other.yaml"),
                3,
                "execution 1",
                folder.resolve("job.yaml").toString(),
                "rename the job");
    }

    @Test
    void missingSqlFile_isRefusedWhereItIsNamed() throws Exception {
        refused("job: j\nsteps:\n  - id: a\n    query: {file: nothing.sql}\n", "job.yaml:4", "nothing.sql");
    }

    @Test
    void missingInput_isRefusedWhereItIsNamed() throws Exception {
        connection();
        refused(load("nothing.csv"), "job.yaml:", "nothing.csv");
    }

    @Test
    void duplicateId_isRefusedWithBothLines() throws Exception {
        refused(
                "job: j\nsteps:\n  - id: a\n" + STEP.formatted("a") + "  - id: a\n" + STEP.formatted("b"),
                "job.yaml:5",
                "'a' stands twice",
                "line 3");
    }

    @Test
    void unreachableStep_isRefused() throws Exception {
        refused(
                "job: j\nsteps:\n  - id: a\n" + STEP.formatted("a") + "  - id: b\n" + STEP.formatted("b")
                        + "flow:\n  a: {\"*\": COMPLETE}\n",
                "job.yaml:5",
                "'b' is never reached");
    }

    @Test
    void cycle_isRefusedWithItsWay() throws Exception {
        refused(
                "job: j\nsteps:\n  - id: a\n" + STEP.formatted("a") + "  - id: b\n" + STEP.formatted("b")
                        + "flow:\n  b: {COMPLETED: a}\n",
                "job.yaml:8",
                "from 'b' to 'a'",
                "circle");
    }

    @Test
    void wrongParameterType_isRefusedWithAnExample() throws Exception {
        write("job: j\nparameters: {n: {type: long}}\nsteps:\n  - id: a\n    query: {sql: \"SELECT :n AS n\"}\n");

        Told.clearly(wl("run", "job.yaml", "-p", "n=many"), 2, "'n'", "no long", "42");
        assertThat(folder.resolve(".weighlock")).doesNotExist();
    }

    @Test
    void sqlOfAJob_thatCannotBeBound_failsItWithFileAndLine() throws Exception {
        write("""
            job: j
            steps:
              - id: a
                query:
                  sql: |
                    SELECT 1 AS one,
                      nothing AS two
                  output: {csv: out/a.csv}
            """);

        Told.clearly(wl("run", "job.yaml"), 1, "job.yaml:7: ", "\"nothing\"", "wl restart 1");
        assertThat(Told.files(folder)).containsExactly("job.yaml");
    }

    @Test
    void sqlOfAQuery_thatCannotBeParsed_isRefused() throws Exception {
        Told.clearly(wl("query", "SELEC 1", "--format", "csv", "--output", "out.csv"), 2, "syntax error", "\"SELEC\"");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void lateBadValue_failsWithItsPlaceAndKeepsWhatWasCommitted() throws Exception {
        connection();
        StringBuilder rows = new StringBuilder("id,total\n");
        for (int id = 1; id <= 60; id++) {
            rows.append(id).append(id == 35 ? ",oops\n" : ",1.50\n");
        }
        Files.writeString(folder.resolve("orders.csv"), rows);
        write(load("orders.csv"));

        Outcome failed = wl("run", "job.yaml");

        Told.clearly(failed, 1, "orders.csv:36: column total: 'oops' is no DECIMAL(15,2)", "wl restart 1");
        assertThat(ids()).isEqualTo("30 rows up to 30");
        Files.writeString(folder.resolve("orders.csv"), rows.toString().replace("oops", "1.50"));
        Outcome mended = wl("restart", "1");
        assertThat(mended.code()).as(mended.err()).isZero();
        assertThat(ids()).isEqualTo("60 rows up to 60");
    }

    private static String load(String csv) {
        return """
            job: j
            steps:
              - id: load
                chunk:
                  read:  {csv: %s, schema: {id: BIGINT, total: "DECIMAL(15,2)"}}
                  write: {jdbc: {connection: shop, table: orders, mode: insert}}
                  size: 10
            """.formatted(csv);
    }

    private void connection() throws Exception {
        Files.writeString(
                folder.resolve("weighlock.yaml"),
                "connections:\n  shop: {url: \"sqlite:shop.db\", checkpoint: create}\n");
        sql("CREATE TABLE orders (id INTEGER PRIMARY KEY, total TEXT NOT NULL)");
    }

    private String ids() throws Exception {
        return sql("SELECT count(*) || ' rows up to ' || max(id) FROM orders");
    }

    private String sql(String sql) throws Exception {
        SQLiteDataSource shop = new SQLiteDataSource();
        shop.setUrl("jdbc:sqlite:" + folder.resolve("shop.db"));
        try (Connection connection = shop.getConnection();
                Statement statement = connection.createStatement()) {
            if (!statement.execute(sql)) {
                return "";
            }
            try (ResultSet rows = statement.getResultSet()) {
                rows.next();
                return rows.getString(1);
            }
        }
    }

    /** A file that is wrong in itself: usage, and no record of it. */
    private void refused(String job, String... parts) throws Exception {
        write(job);
        List<String> before = Told.files(folder);

        Told.clearly(wl("run", "job.yaml"), 2, parts);
        assertThat(Told.files(folder)).isEqualTo(before);
        assertThat(folder.resolve(".weighlock")).doesNotExist();
    }

    private void write(String job) throws Exception {
        Files.writeString(folder.resolve("job.yaml"), job);
    }

    private Outcome wl(String... words) throws Exception {
        return WlProcess.run(folder, words);
    }
}
