package dev.weighlock.jobs.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.batch.JobParameters;
import dev.weighlock.duckdb.DuckDbEngine;
import dev.weighlock.jobs.config.Configuration;
import dev.weighlock.jobs.config.ConfigurationFile;
import dev.weighlock.jobs.yaml.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;
import javax.tools.ToolProvider;
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
                delivery: exactly once: rows and checkpoint in one commit of shop
                FAILED -> FAIL
                * -> report
              report (query -> out/r.csv)
                delivery: the file whole or not at all; a crash in between writes it again
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

    @Test
    void dataSets_withoutAFileOrRoom_areRefusedWithWhatTheyNeed() throws IOException {
        String job = "job: j\ncache: {lineitem: data/l.db}\nsteps: [{id: s, query: {sql: SELECT 1}}]\n";
        String room = "devices: {host: {cache: 1MiB}}";
        assertThat(check(job, "logs: {keep: 30d}").errors())
                .extracting(Problem::line)
                .singleElement()
                .asString()
                .endsWith(
                        "job.yaml:2: data sets need a cache share, and the device has none; set devices: {host: {cache:"
                                + " SIZE}} in weighlock.yaml");
        assertThat(MissingInputs.of(check(job, room).file().orElseThrow(), JobParameters.NONE))
                .extracting(Problem::line)
                .singleElement()
                .asString()
                .contains("job.yaml:2: the data set 'lineitem' has no file", "with a table lineitem");

        Files.createDirectories(folder.resolve("data"));
        Files.write(folder.resolve("data/l.db"), new byte[(1 << 20) + 1]);

        assertThat(check(job, "logs: {keep: 30d}").errors())
                .singleElement()
                .satisfies(problem -> assertThat(problem.todo()).contains("cache: 2MiB"));
        assertThat(check(job, room).errors())
                .singleElement()
                .satisfies(problem -> assertThat(problem.what()).contains("cache share of 1048576 bytes"));
        var sound = check(job, room.replace("1MiB", "2MiB")).file().orElseThrow();
        assertThat(MissingInputs.of(sound, JobParameters.NONE)).isEmpty();
    }

    @Test
    void check_classes_areLookedForOnTheClassPathOfTheSettings() throws Exception {
        String job = """
            job: j
            steps:
              - {id: a, java: {class: org.example.Mine}}
              - {id: b, java: {class: org.example.Missing}}
              - {id: c, decision: {class: java.lang.String}}
              - {id: d, query: {sql: SELECT 1}, listeners: [org.example.Mine]}
            """;
        jar(folder.resolve("libs/mine.jar"), "org.example.Mine", """
            package org.example;
            import dev.weighlock.batch.tasklet.*;
            public class Mine implements Tasklet {
                static { if (true) throw new IllegalStateException("a check initialises nothing"); }
                public TaskletOutcome run(dev.weighlock.batch.step.StepContext context) { return null; }
            }
            """);

        JobFileCheck.Result result = check(job, "classpath: [\"libs/*.jar\"]");

        assertThat(result.errors())
                .extracting(problem -> problem.at().line() + ": " + problem.what())
                .containsExactly(
                        "4: the class 'org.example.Missing' is not on the class path",
                        "5: the class 'java.lang.String' is no Decider",
                        "6: the class 'org.example.Mine' is no StepListener");
        assertThat(result.warnings())
                .extracting(problem -> problem.at().line() + ": " + problem.what())
                .contains("3: the step 'a' is a java step: its effects are at least once");
    }

    /** Compiles one class and puts it into a jar. */
    private void jar(Path jar, String name, String source) throws IOException {
        Path classes = Files.createDirectories(folder.resolve("classes"));
        Path file = folder.resolve("Mine.java");
        Files.writeString(file, source);
        int failed = ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "-proc:none", "-d", classes.toString(), file.toString());
        assertThat(failed).isZero();
        Files.createDirectories(jar.getParent());
        String entry = name.replace('.', '/') + ".class";
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            out.putNextEntry(new ZipEntry(entry));
            out.write(Files.readAllBytes(classes.resolve(entry)));
        }
    }

    @Test
    void check_valueOfAStepThatNeverRunsBefore_isAnErrorWhereItStands() throws IOException {
        JobFileCheck.Result result = check("""
            job: j
            steps:
              - {id: a, query: {sql: "SELECT 1 AS n WHERE :b_context_n > 0"}}
              - {id: b, query: {sql: "SELECT 1 AS n WHERE :a_context_n > 0"}}
              - {id: s, split: {branches: [[p, q], [c]], join: e}}
              - {id: p, shell: {command: [ls, "{b.context.n}"]}}
              - {id: q, shell: {command: [ls, "{p.context.n}"]}}
              - id: c
                query:
                  sql: |
                    SELECT :s_context_n,
                      :q_context_n
              - {id: e, query: {sql: "SELECT :q_context_n", output: {csv: "{later.context.n}.csv"}}}
              - {id: later, query: {sql: SELECT 1}}
            """, "logs: {keep: 30d}");

        assertThat(result.errors())
                .extracting(problem -> problem.at().line() + ": " + problem.what())
                .containsExactly(
                        "3: ':b_context_n' is what the step 'b' leaves, which never runs before 'a'",
                        "12: ':q_context_n' is what the step 'q' leaves, which never runs before 'c'",
                        "13: '{later.context.n}' is what the step 'later' leaves, which never runs before 'e'");
    }

    @Test
    void check_withAPlanner_parsesEverySqlOfTheEngine_andRunsNone() throws IOException {
        Files.writeString(
                folder.resolve("report.sql"), "SELECT {what|identifier},\n  count(*)\nFROM WHERE x = :what\n");
        check("""
            job: j
            parameters: {what: {type: string}}
            steps:
              - {id: ok, query: {sql: "SELECT error('never run'), {what|identifier} FROM 'none.csv' WHERE a = :what"}}
              - {id: report, query: {file: report.sql}}
              - {id: many, partition: {by: "SELECT 1; SELECT 2"}, query: {sql: "DROP TABLE t"}}
              - {id: way, decision: {sql: "SELEC 1"}}
              - {id: set, query: {sql: "SELECT * FROM cache.nothing"}}
              - id: load
                chunk:
                  read: {csv: data/o.csv, schema: {a: INT}}
                  process: {where: "a >", set: {b: "a + 1"}}
                  write: {jdbc: {connection: shop, table: t}}
              - {id: src, source: {connection: shop, sql: "NO DUCK DB", order_by: [a], output: {parquet: out/a.parquet}}}
            """, "connections: {shop: {url: \"sqlite:s.db\"}}");
        Configuration configuration =
                ((ConfigurationFile.Read.Settings) ConfigurationFile.nearest(folder)).configuration();
        try (var planner = DuckDbEngine.openPlanner()) {
            JobFileCheck.Result result = JobFileCheck.check(folder.resolve("job.yaml"), configuration, planner);

            assertThat(result.errors())
                    .extracting(problem -> problem.file() + ":" + problem.at().line() + ": " + problem.what())
                    .satisfiesExactly(
                            line -> assertThat(line).endsWith("job.yaml:6: the SQL holds 2 statements"),
                            line -> assertThat(line).endsWith("job.yaml:6: the SQL is no query (definition)"),
                            line -> assertThat(line).contains("job.yaml:7: the SQL does not parse: "),
                            line -> assertThat(line).contains("job.yaml:8: the SQL names the data set 'nothing'"),
                            line -> assertThat(line).contains("job.yaml:12: the SQL does not parse: "),
                            line -> assertThat(line)
                                    .startsWith("report.sql:3: the SQL does not parse: ")
                                    .contains("WHERE"));
        }
    }

    @Test
    void check_everyKindOfStep_saysWhatACrashMayDo() throws IOException {
        JobFileCheck.Result result = check("""
            job: j
            steps:
              - {id: d, decision: {sql: "SELECT 'A'"}}
              - {id: s, split: {branches: [[p], [c]], join: e}}
              - {id: p, shell: {command: [ls]}}
              - {id: c, chunk: {read: {csv: a, schema: {a: INT}}, write: {jdbc: {connection: x, table: t}}, delivery: at_least_once}}
              - {id: e, query: {sql: SELECT 1}}
            """, "connections: {x: {url: \"sqlite:s.db\"}}");

        assertThat(result.errors()).isEmpty();
        assertThat(result.graph()).isEqualTo("""
            job j
              d (decision by SQL)
                delivery: once: the answer is stored before the next step begins
                FAILED -> FAIL
                * -> s
              s (split, then e)
                branch
                  p (shell ls)
                    delivery: at least once: a crash or a stop in the middle runs the program again
                branch
                  c (chunk a -> x.t)
                    delivery: at least once: a crash writes its last chunk again
                FAILED -> FAIL
                * -> e
              e (query -> record)
                delivery: its first rows, with the step's end
                FAILED -> FAIL
                * -> COMPLETE
            """);
    }

    @Test
    void check_filesThatGiveNoRows_areWarnings() throws IOException {
        Files.createDirectories(folder.resolve("data"));
        Files.writeString(folder.resolve("data/a.csv"), "");
        Files.writeString(folder.resolve("data/b.csv"), "a\n\n");
        Files.writeString(folder.resolve("data/c.csv"), "a\n1\n");

        JobFileCheck.Result result =
                check(JOB.replace("data/o.csv", "data/*.csv"), "connections: {shop: {url: \"sqlite:s.db\"}}");

        assertThat(result.errors()).isEmpty();
        assertThat(result.warnings())
                .extracting(Problem::what)
                .containsExactly("the file a.csv is empty", "the file b.csv has a header and nothing else");
    }
}
