package dev.weighlock.jobs.compile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.jobs.template.PercentEncoding;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A value is a value, whatever is in it: in SQL of every kind, in paths and in arguments. */
class HostileValueTest {
    private static final List<String> VALUES = List.of(
            "O'Hara",
            "\"quoted\"",
            "'; DROP TABLE orders; --",
            "a\nb\r\nc",
            "$$ $1 ? :name {name|identifier}",
            "/* comment */ -- line",
            "../../etc/passwd",
            "..",
            "a\\' OR 1=1",
            "\u02bc \u2019 \uff07 full-width and look-alike quotes",
            "\u202eright-to-left \u200b zero width",
            "e\u0301 is not \u00e9",
            "\ud83d\ude00",
            "%27%3B");

    private static final String JOB = """
        job: j
        parameters: {word: {type: string}}
        steps:
          - id: keep
            query: {sql: "SELECT :word AS word"}
          - id: choose
            decision: {sql: "SELECT CASE WHEN :keep_context_word = :word THEN 'SAME' ELSE 'OTHER' END"}
          - id: load
            source: {connection: shop, sql: "SELECT o_id FROM orders WHERE o_name = :word", order_by: [o_id], output: {parquet: "work/{word}.parquet"}}
          - id: parts
            partition: {by: "SELECT :word AS key"}
            query: {sql: "SELECT :partition = :word AS same, :partition_key AS key", output: {jsonl: "out/{word}/{partition}.jsonl"}}
          - id: run
            shell: {command: [sh, -c, 'printf %s "$1" > argument', sh, "{word}"], env: {WORD: "{word}"}}
        flow: {choose: {SAME: load, "*": FAIL}}
        """;

    @TempDir
    Path home;

    @Test
    void values_reachEveryPlaceAsTheyAre() throws Exception {
        try (JobBench bench = new JobBench(home)) {
            bench.execute("CREATE TABLE orders (o_id INTEGER PRIMARY KEY, o_name TEXT)");
            for (String value : VALUES) {
                JobExecution ended = bench.run(JOB, Map.of("word", value));

                assertThat(ended.status())
                        .as("%s: %s", value, ended.diagnostics())
                        .isEqualTo(BatchStatus.COMPLETED);
                Path folder = bench.folder.resolve("out/" + PercentEncoding.encode(value));
                try (Stream<Path> files = Files.list(folder)) {
                    assertThat(files.map(file -> String.valueOf(file.getFileName()))
                                    .toList())
                            .containsExactly(PercentEncoding.encode(value) + ".jsonl");
                }
                assertThat(Files.readString(folder.resolve(PercentEncoding.encode(value) + ".jsonl")))
                        .contains("\"same\":true");
                assertThat(Files.readString(bench.folder.resolve("argument"))).isEqualTo(value);
            }
            assertThat(bench.query("SELECT count(*) FROM orders")).containsExactly("0");
            assertThat(bench.queries.texts()).noneMatch(sql -> sql.contains("DROP") || sql.contains("O'Hara"));
        }
    }

    @Test
    void values_asIdentifiers_arePlainWordsOrRefused() throws Exception {
        String job = """
            job: j
            parameters: {word: {type: string}}
            steps: [{id: s, query: {sql: "SELECT {word|identifier} FROM (SELECT 1 AS plain)"}}]
            """;
        try (JobBench bench = new JobBench(home)) {
            assertThat(bench.run(job, Map.of("word", "plain")).status()).isEqualTo(BatchStatus.COMPLETED);
            for (String value : VALUES) {
                JobExecution ended = bench.run(job, Map.of("word", value));

                assertThat(ended.status()).as(value).isEqualTo(BatchStatus.FAILED);
                assertThat(ended.diagnostics().orElseThrow()).contains("is not a plain identifier");
            }
        }
    }
}
