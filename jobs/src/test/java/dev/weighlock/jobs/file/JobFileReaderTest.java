package dev.weighlock.jobs.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobFileReaderTest {
    @TempDir
    Path folder;

    @BeforeEach
    void writeSql() throws IOException {
        Files.writeString(folder.resolve("report.sql"), "SELECT :day AS day\n, 1 AS one");
    }

    private List<String> problems(String text) {
        return JobText.problems(folder, text);
    }

    @Test
    void read_wholeFile_isSoundWithEverythingInIt() {
        JobFile file = JobText.sound(folder, JobText.WHOLE);

        assertThat(file.name()).isEqualTo("revenue");
        assertThat(file.revision()).contains("3");
        assertThat(file.timeZone()).isEqualTo(ZoneId.of("Europe/Berlin"));
        assertThat(file.writeDirectories()).containsExactly(folder.resolve("out"), folder.resolve("work"));
        assertThat(file.steps()).extracting(FileStep::id).containsExactly("load", "orders", "revenue", "report");
        assertThat(file.source().sqlTexts()).containsOnlyKeys("report.sql");
        assertThat(file.parameters().named("key").orElseThrow().identifying()).isFalse();
        assertThat(((ChunkKeys) file.step("load").work()).read().schema().keySet())
                .containsExactly("o_id", "o_nation", "o_total");
    }

    @Test
    void read_flow_unwrittenWaysAreAdded() {
        JobFile file = JobText.sound(folder, JobText.WHOLE);

        assertThat(file.transitions())
                .extracting(way -> way.from() + " " + way.pattern() + " " + way.target())
                .containsExactly(
                        "load FAILED FAIL",
                        "load * orders",
                        "orders FAILED FAIL",
                        "orders * revenue",
                        "revenue COMPLETED report",
                        "revenue FAILED FAIL",
                        "report FAILED FAIL",
                        "report * COMPLETE");
    }

    @Test
    void fromStored_withoutTheDisk_isTheSameJob() throws IOException {
        JobFile first = JobText.sound(folder, JobText.WHOLE);
        Files.delete(folder.resolve("report.sql"));

        JobFileReader.Read again = JobFileReader.fromStored(first.source());

        assertThat(again)
                .isInstanceOfSatisfying(
                        JobFileReader.Read.Sound.class,
                        sound -> assertThat(sound.file().source()).isEqualTo(first.source()));
    }

    @Test
    void read_missingJobFile_isOneProblem() {
        assertThat(JobFileReader.fromDisk(folder.resolve("no.yaml")))
                .isInstanceOfSatisfying(
                        JobFileReader.Read.Refused.class,
                        refused -> assertThat(refused.errors().getFirst().line())
                                .endsWith("no.yaml' does not exist; check its name and folder"));
    }

    @Test
    void read_unknownKey_namesTheNearestAndTheLine() {
        assertThat(problems(JobText.WHOLE.replace("  deadline", "  deadlin")))
                .containsExactly("30: unknown key 'deadlin' in a query step; did you mean 'deadline'?");
    }

    @Test
    void read_missingSqlFile_isAProblem() {
        assertThat(problems(JobText.WHOLE.replace("report.sql", "rapport.sql")))
                .containsExactly("32: the file 'rapport.sql' does not exist; check its name and folder");
    }

    @Test
    void read_duplicateId_namesBothLines() {
        assertThat(problems(
                        "job: j\nsteps:\n  - {id: a, query: {sql: SELECT 1}}\n  - {id: a, query: {sql: SELECT 2}}\n"))
                .containsExactly("4: the step id 'a' stands twice; rename this one or the one on line 3");
    }

    @Test
    void read_reservedNames_areRefused() {
        String job = """
                job: j
                parameters: {partition: {type: string}, partition_x: {type: long}}
                steps:
                  - {id: FAIL, query: {sql: SELECT 1}}
                """;
        assertThat(problems(job))
                .hasSize(3)
                .allSatisfy(line -> assertThat(line).containsAnyOf("is reserved", "no step may be called 'FAIL'"));
    }

    @Test
    void read_unreachableStep_isRefusedAtItsLine() {
        String job = """
                job: j
                steps:
                  - {id: a, query: {sql: SELECT 1}}
                  - {id: b, query: {sql: SELECT 1}}
                  - {id: c, query: {sql: SELECT 1}}
                flow: {a: c}
                """;
        assertThat(problems(job))
                .containsExactly("4: the step 'b' is never reached; name it as a target in 'flow' or remove it");
    }

    @Test
    void read_cycle_isRefusedAtEachOfItsWays() {
        String job = """
                job: j
                steps:
                  - {id: a, query: {sql: SELECT 1}}
                  - {id: b, query: {sql: SELECT 1}}
                flow:
                  b: {AGAIN: a, "*": COMPLETE}
                """;
        assertThat(problems(job))
                .containsExactly(
                        "3: the way from 'a' to 'b' goes round in a circle; a job runs each step once; point it to a later step",
                        "6: the way from 'b' to 'a' goes round in a circle; a job runs each step once; point it to a later step");
    }

    @Test
    void read_unknownTargetsAndSteps_areRefused() {
        String job = """
                job: j
                steps:
                  - {id: load, query: {sql: SELECT 1}}
                flow:
                  load: {COMPLETED: complete, FAILED: laod}
                  lod: COMPLETE
                """;
        assertThat(problems(job))
                .containsExactly(
                        "5: 'complete' in 'flow' is no target; did you mean 'COMPLETE'?",
                        "5: 'laod' in 'flow' is no target; did you mean 'load'?",
                        "6: 'lod' in 'flow' is no step; did you mean 'load'?");
    }

    @Test
    void read_manyProblems_areAllReportedInTheOrderOfTheLines() {
        String job = """
                job: " j"
                parameters:
                  day: {type: dat}
                steps:
                  - id: a
                    query: {sql: "SELECT :dya", cap: 12MB}
                  - id: b
                    query: {sql: "SELECT :regio", output: {csv: "out/{x}.csv"}}
                """;
        assertThat(problems(job)).extracting(line -> line.substring(0, 1)).containsExactly("1", "3", "6", "7", "8");
    }

    @Test
    void read_wrongNameInSql_isReportedOnItsOwnLine() throws IOException {
        Files.writeString(folder.resolve("report.sql"), "SELECT\n  :dya");
        String job = """
                job: j
                parameters: {day: {type: date}}
                steps:
                  - id: a
                    query:
                      sql: |
                        SELECT 1,
                          :dy
                  - {id: b, query: {file: report.sql}}
                """;

        assertThat(problems(job))
                .containsExactly(
                        "8: ':dy' is no parameter of this job; did you mean 'day'?",
                        "report.sql:2: ':dya' is no parameter of this job; did you mean 'day'?");
    }

    @Test
    void read_identifierThatIsNoParameter_isRefused() {
        assertThat(problems(JobText.withStep("query: {sql: 'SELECT {dya|identifier}'}")))
                .containsExactly("4: '{dya|identifier}' is no parameter of this job; did you mean 'day'?");
    }

    @Test
    void read_sharedOutputAndGuessedSchemaAndWeakDelivery_areWarnings() {
        String job = """
                job: j
                steps:
                  - {id: a, query: {sql: SELECT 1, output: {csv: x.csv}}}
                  - {id: b, query: {sql: SELECT 1, output: {csv: x.csv}}}
                  - {id: c, chunk: {read: {csv: x.csv}, write: {jdbc: {connection: s, table: t}}, delivery: at_least_once}}
                  - {id: d, source: {connection: s, sql: SELECT 1, output: {parquet: y.parquet}}}
                """;
        assertThat(problems(job))
                .containsExactly(
                        "4: warning: the steps 'a' and 'b' write the same path x.csv; the later one replaces the file",
                        "5: warning: the step 'c' says it may deliver at least once; a crash writes its last chunk again, and its table could take rows and checkpoint in one commit",
                        "5: warning: the step 'c' has no 'schema': its types are guessed; declare schema: {COLUMN: TYPE}",
                        "6: warning: the step 'd' has no 'order_by'; its rows come in the database's order, so two files can differ");
        assertThat(JobText.read(folder, job)).isInstanceOf(JobFileReader.Read.Sound.class);
    }

    @Test
    void read_schemaOrder_isThatOfTheFile() {
        ChunkKeys chunk = (ChunkKeys) JobText.sound(
                        folder,
                        JobText.withStep(
                                "chunk: {read: {csv: x, schema: {z: INT, a: INT, m: INT}}, write: {jdbc: {connection: c, table: t}}}"))
                .steps()
                .getFirst()
                .work();

        assertThat(chunk.read().schema()).isEqualTo(Map.of("z", "INT", "a", "INT", "m", "INT"));
        assertThat(chunk.read().schema().keySet()).containsExactly("z", "a", "m");
    }

    @Test
    void splits_aroundEachOther_areRefusedOneByOne() {
        String steps = """
                job: j
                steps:
                  - {id: one, split: {branches: [[two, x], [a]], join: end}}
                  - {id: two, split: {branches: [[one], [choose]], join: a}}
                  - {id: a, query: {sql: SELECT 1}}
                  - {id: x, query: {sql: SELECT 1}}
                  - {id: choose, decision: {sql: SELECT 1}}
                  - {id: end, query: {sql: SELECT 1}}
                flow: {a: end}
                """;

        assertThat(JobText.problems(folder, steps))
                .contains(
                        "3: the split 'one' stands in its own branch; take it out of there",
                        "4: 'join' of 'two' is not the step behind it in its branch; put 'a' behind it in the branch",
                        "4: the decision 'choose' would lead nowhere in a branch; decide before or after the split",
                        "9: the step 'a' stands in a branch, which goes on when it completed; write the ways of the"
                                + " split instead");
    }

    @Test
    void split_whoseJoinStandsInABranch_isRefused() {
        String steps = """
                job: j
                steps:
                  - {id: s, split: {branches: [[a], [b]], join: b}}
                  - {id: a, query: {sql: SELECT 1}}
                  - {id: b, query: {sql: SELECT 1}}
                """;

        assertThat(JobText.problems(folder, steps))
                .containsExactly("3: 'join' of 's' names 'b', which does not come after it; write the step that runs"
                        + " after all branches");
    }
}
