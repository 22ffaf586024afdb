package dev.weighlock.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.app.command.WlProcess.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class QueryCommandTest {
    @TempDir
    Path folder;

    @BeforeEach
    void writeData() throws Exception {
        Files.writeString(folder.resolve("orders.csv"), "id,amount\n1,10.50\n2,20.00\n");
    }

    @Test
    void query_formats_printWhatTheySay() throws Exception {
        String sql = "SELECT id, CAST(amount AS DECIMAL(9, 2)) AS amount FROM 'orders.csv' ORDER BY id";

        assertThat(wl("query", sql).out()).isEqualTo("id  amount\n--  ------\n 1   10.50\n 2   20.00\n(2 rows)\n");
        assertThat(wl("query", sql, "--format", "csv").out()).isEqualTo("id,amount\n1,10.50\n2,20.00\n");
        assertThat(wl("query", sql, "--format", "jsonl").out())
                .isEqualTo("{\"id\":1,\"amount\":10.50}\n{\"id\":2,\"amount\":20.00}\n");
    }

    @Test
    void query_ofACsvWithoutADeclaration_saysWhatWasGuessed() throws Exception {
        Files.writeString(folder.resolve("ragged.csv"), "a,b,c\n1,2,3\n4,5\n6,7,8,9\n");

        Outcome guessed = wl("query", "SELECT count(*) AS n FROM 'ragged.csv'", "--format", "csv");
        assertThat(guessed.out()).isEqualTo("n\n1\n");
        assertThat(guessed.err())
                .startsWith("note: ragged.csv: delimiter, header and types were guessed")
                .contains("read_csv('", "delim=','", "skip=3", "columns={");

        Outcome declared = wl(
                "query",
                "FROM read_csv('orders.csv', auto_detect = false, header = true, columns = {'id': 'INT', 'amount': 'DOUBLE'})");
        assertThat(declared.code()).isZero();
        assertThat(declared.err()).isEmpty();
    }

    @Test
    void query_whoseOutputCannotBeWritten_isNoSuccess() throws Exception {
        Outcome full = under("\"$@\" > /dev/full", "query", "SELECT 42 AS x", "--format", "csv");

        Told.clearly(full, 1, "standard output could not be written");
    }

    @Test
    void query_whoseReaderHasGone_ends() throws Exception {
        Outcome head =
                under("\"$@\" | head -n 1", "query", "SELECT i FROM range(100000000000) t(i)", "--format", "csv");

        assertThat(head.out()).isEqualTo("i\n");
        assertThat(head.err()).isEmpty();
    }

    @Test
    void query_whoseReaderHasGone_isDoneWithoutAWord() throws Exception {
        Outcome head = under(
                "{ \"$@\"; echo $? >&2; } | head -n 1",
                "query",
                "SELECT i FROM range(10000000) t(i)",
                "--format",
                "csv");

        assertThat(head.err()).isEqualTo("0\n");
    }

    @Test
    void query_withAMarkWithoutValue_isRejectedSql() throws Exception {
        assertThat(wl("query", "SELECT ?").code()).isEqualTo(2);
    }

    private Outcome under(String shell, String... words) throws Exception {
        try (WlProcess wl = WlProcess.startUnder(List.of("sh", "-c", shell, "sh"), folder, Map.of(), words)) {
            return wl.await();
        }
    }

    @Test
    void query_parquetToAFile_isReadableAfterwards() throws Exception {
        Outcome write = wl("query", "SELECT 42 AS x", "--format", "parquet", "-o", "x.parquet");

        assertThat(write.code()).as(write.err()).isZero();
        assertThat(wl("query", "SELECT x FROM 'x.parquet'", "--format", "csv").out())
                .isEqualTo("x\n42\n");
        try (var files = Files.list(folder)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .doesNotContain(".weighlock")
                    .noneMatch(name -> name.endsWith(".part"));
        }
    }

    @Test
    void query_profile_saysGrantAndPeak() throws Exception {
        Outcome outcome = wl("query", "SELECT 42", "--cap", "64MiB", "--profile");

        assertThat(outcome.code()).as(outcome.err()).isZero();
        assertThat(outcome.err())
                .contains("SUCCEEDED", "granted   64.0 MiB", "waited", "beyond", "OPERATOR", "RESULT_COLLECTOR");
    }

    @Test
    void query_profileAsJson_isTheAccountWithItsOperators() throws Exception {
        Outcome outcome =
                wl("query", "SELECT count(*) AS n FROM range(5000000) t(i) WHERE i % 7 = 3", "--profile", "--json");

        assertThat(outcome.code()).as(outcome.err()).isZero();
        JsonNode document = JsonMapper.shared().readTree(outcome.out());
        assertThat(document.path("rows").get(0).get(0).asLong()).isEqualTo(714_286);
        JsonNode account = document.path("account");
        assertThat(account.path("outcome").asString()).isEqualTo("SUCCEEDED");
        assertThat(account.path("peak_bytes").asLong(-1)).isNotNegative();
        assertThat(account.path("operators").size()).isGreaterThan(2);
        assertThat(account.path("operators").get(0).path("depth").asInt()).isZero();
        assertThat(wl("query", "SELECT 42", "--json").out()).doesNotContain("account");
    }

    @Test
    void query_jsonLines_holdNumbersThatJsonLacksAsTexts_insideOfEverything_printedAndInAFile() throws Exception {
        String sql = "SELECT [CAST('nan' AS DOUBLE), 1.5] AS l, {'a': CAST('inf' AS FLOAT), '%b \"q\"': {'c':"
                + " [CAST('-inf' AS DOUBLE)]}, 'd': 'NaN, [Infinity]'} AS s, MAP {'k': CAST('nan' AS DOUBLE)} AS m,"
                + " array_value(CAST('nan' AS DOUBLE), 1) AS f, CAST(NULL AS DOUBLE[]) AS n, [0.1::FLOAT] AS d";
        Outcome printed = wl("query", sql, "--format", "jsonl");
        Outcome written = wl("query", sql, "--format", "jsonl", "-o", "nan.jsonl");

        assertThat(printed.code()).as(printed.err()).isZero();
        assertThat(written.code()).as(written.err()).isZero();
        JsonNode row = JsonMapper.shared().readTree(printed.out());
        assertThat(row.at("/l/0").asString()).isEqualTo("nan");
        assertThat(row.at("/s/d").asString()).isEqualTo("NaN, [Infinity]");
        assertThat(JsonMapper.shared().readTree(Files.readString(folder.resolve("nan.jsonl"))))
                .isEqualTo(row);
    }

    @Test
    void query_arrowToAClosedPipe_endsQuietly() throws Exception {
        Outcome head = under(
                "\"$@\" | head -c 100 | wc -c", "query", "SELECT i FROM range(100000000000) t(i)", "--format", "arrow");

        assertThat(head.out().strip()).isEqualTo("100");
        assertThat(head.err()).doesNotContain("WARN", "Exception");
    }

    @Test
    void query_refusals_haveTheirExitCodes() throws Exception {
        assertThat(wl("query", "SELEC 1").code()).isEqualTo(2);
        assertThat(wl("query", "SELECT nothing").code()).isEqualTo(2);
        Told.clearly(wl("query", " "), 2, "the SQL text is empty");
        assertThat(wl("query", "SELECT * FROM 'missing.csv'").code()).isEqualTo(2);
        assertThat(wl("query", "CREATE TABLE t (x INT)").code()).isEqualTo(3);
        assertThat(wl("query", "SELECT * FROM '/etc/some.csv'").code()).isEqualTo(3);
        Told.clearly(
                wl("query", "SELECT * FROM '/etc/passwd'"),
                3,
                "/etc/passwd lies outside",
                folder.toRealPath().toString());
        assertThat(wl("query", "SELECT 1", "--cap", "900TiB").code()).isEqualTo(3);
        assertThat(wl("query", "SELECT CAST('x' AS INTEGER)").code()).isEqualTo(1);
        assertThat(wl("query", "SELECT 1", "--format", "parquet").code()).isEqualTo(2);
    }

    @Test
    void query_deadlinePassed_isFailure() throws Exception {
        String endless = "SELECT count(*) FROM range(10000000) a, range(10000000) b WHERE a.range + b.range = -1";

        Outcome outcome = wl("query", endless, "--deadline", "1s");

        assertThat(outcome.code()).isEqualTo(1);
        assertThat(outcome.err()).containsIgnoringCase("deadline");
    }

    private Outcome wl(String... words) throws Exception {
        return WlProcess.run(folder, words);
    }
}
