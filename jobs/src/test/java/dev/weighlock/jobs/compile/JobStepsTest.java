package dev.weighlock.jobs.compile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.JobParameters;
import dev.weighlock.batch.flow.FlowNode;
import dev.weighlock.batch.flow.Job;
import dev.weighlock.batch.flow.JobBuilder;
import dev.weighlock.batch.flow.Transition;
import dev.weighlock.batch.launch.LaunchResult;
import dev.weighlock.batch.partition.OnFailure;
import dev.weighlock.batch.run.RunningJob;
import dev.weighlock.jobs.file.ChunkKeys;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same job in Java and in a file has the same fingerprint, for each kind of step. */
class JobStepsTest {
    private static final String USER = "dev.weighlock.jobs.compile.UserCode$";

    @TempDir
    Path home;

    private JobBench bench;
    private JobSteps steps;

    @BeforeEach
    void open() throws Exception {
        bench = new JobBench(home);
        steps = bench.javaSteps("j");
    }

    @AfterEach
    void close() {
        bench.close();
    }

    private static JobBuilder job() {
        return Job.named("j");
    }

    private void same(Job inJava, String keys) {
        Job inFile = bench.compile("job: j\nparameters: {word: {type: string, default: w}}\nsteps:\n" + keys);
        assertThat(inJava.manifest()).isEqualTo(inFile.manifest());
        assertThat(inJava.fingerprint()).isEqualTo(inFile.fingerprint());
    }

    @Test
    void query_withOutputAndPartitions() {
        same(
                job().step(steps.query("q", "SELECT :partition AS k")
                                .output(JobSteps.csv("out/{partition}.csv"))
                                .maxRows(5)
                                .cap(64L << 20)
                                .deadline(Duration.ofMinutes(1))
                                .partitionedBy("SELECT 'a'")
                                .workers(3, dev.weighlock.jobs.file.OnFailure.DRAIN)
                                .build())
                        .build(),
                """
                  - id: q
                    partition: {by: "SELECT 'a'"}
                    query: {sql: "SELECT :partition AS k", output: {csv: "out/{partition}.csv"}, max_rows: 5}
                """);
    }

    @Test
    void source_withAnOrder() {
        same(
                job().step(steps.source("s", "shop", "SELECT a FROM t", JobSteps.parquet("t.parquet"))
                                .orderBy("a")
                                .fetch(10)
                                .build())
                        .build(),
                "  - {id: s, source: {connection: shop, sql: SELECT a FROM t, order_by: [a], output: {parquet: t.parquet}}}\n");
    }

    @Test
    void chunk_withExpressionsAndFaults() {
        Map<String, String> schema = new LinkedHashMap<>();
        schema.put("id", "BIGINT");
        schema.put("name", "VARCHAR");
        same(
                job().step(steps.chunk("c", JobSteps.csvFiles("in-*.csv", schema), JobSteps.upsert("shop", "t", "id"))
                                .where("id > 1")
                                .set("name", "upper(name)")
                                .size(50)
                                .retry(new ChunkKeys.Retry(
                                        2,
                                        List.of("java.io.IOException"),
                                        Duration.ofMillis(1),
                                        Duration.ofMillis(9),
                                        2,
                                        0))
                                .skip(new ChunkKeys.Skip(3, EnumSet.of(ChunkKeys.Phase.READ), List.of()))
                                .build())
                        .build(),
                """
                  - id: c
                    chunk:
                      read:  {csv: in-*.csv, schema: {id: BIGINT, name: VARCHAR}}
                      process: {where: id > 1, set: {name: upper(name)}}
                      write: {jdbc: {connection: shop, table: t, mode: upsert, key: [id]}}
                      size: 50
                      retry: {limit: 2, on: [java.io.IOException]}
                      skip: {limit: 3, on: [read]}
                """);
    }

    @Test
    void chunk_atLeastOnceByClass() {
        same(
                job().step(steps.chunk("c", JobSteps.csvFiles("a", Map.of("id", "INT")), JobSteps.table("shop", "t"))
                                .process(USER + "Changing")
                                .delivery(ChunkKeys.Delivery.AT_LEAST_ONCE)
                                .partitionedByKeys(List.of("x", "y"))
                                .build())
                        .build(),
                """
                  - id: c
                    partition: {keys: [x, y]}
                    chunk:
                      read: {csv: a, schema: {id: INT}}
                      process: {class: "%sChanging"}
                      write: {jdbc: {connection: shop, table: t}}
                      delivery: at_least_once
                """.formatted(USER));
    }

    @Test
    void shellAndJava_withArguments() {
        same(
                job().step(steps.shell("s", "echo", "{word}")
                                .env("A", "b")
                                .exitCode(3, "EMPTY")
                                .build())
                        .step(steps.java("t", USER + "Telling")
                                .with("a", "{word}")
                                .partitionedByClass(USER + "Halves")
                                .startLimit(2)
                                .allowStartIfComplete()
                                .listener(USER + "Watching")
                                .build())
                        .build(),
                """
                  - {id: s, shell: {command: [echo, "{word}"], env: {A: b}, exit_codes: {3: EMPTY}}}
                  - {id: t, start_limit: 2, listeners: ["%sWatching"], java: {class: "%sTelling", with: {a: "{word}"}}, partition: {class: "%sHalves"}}
                """.formatted(USER, USER, USER));
    }

    @Test
    void decisionsAndSplits_withTheirWays() {
        var inner = new FlowNode.SplitNode(
                "inner",
                List.of(
                        List.of(new FlowNode.StepNode(
                                steps.query("a", "SELECT 1").build())),
                        List.of(new FlowNode.StepNode(
                                steps.query("b", "SELECT 2").build()))),
                1,
                OnFailure.DRAIN);
        var outer = new FlowNode.SplitNode(
                "outer",
                List.of(
                        List.of(
                                inner,
                                new FlowNode.StepNode(
                                        steps.query("c", "SELECT 3").build())),
                        List.of(new FlowNode.StepNode(
                                steps.query("d", "SELECT 4").build()))),
                2,
                OnFailure.CANCEL);
        same(
                job().decision(steps.decision("by_sql", "SELECT 'GO'"))
                        .decision(steps.decisionOfClass("by_class", USER + "Left"))
                        .split(outer, "end")
                        .step(steps.query("end", "SELECT 5").build())
                        .flow("by_sql", Transition.on("GO", "by_class"), Transition.on("*", "STOP"))
                        .build(),
                """
                  - {id: by_sql, decision: {sql: SELECT 'GO'}}
                  - {id: by_class, decision: {class: "%sLeft"}}
                  - {id: outer, split: {branches: [[inner, c], [d]], join: end}}
                  - {id: inner, split: {branches: [[a], [b]], join: c}}
                  - {id: a, query: {sql: SELECT 1}}
                  - {id: b, query: {sql: SELECT 2}}
                  - {id: c, query: {sql: SELECT 3}}
                  - {id: d, query: {sql: SELECT 4}}
                  - {id: end, query: {sql: SELECT 5}}
                flow: {by_sql: {GO: by_class, "*": STOP}}
                """.formatted(USER));
    }

    @Test
    void job_inJava_failed_goesOnAsAFile() throws Exception {
        Job inJava = job().step(steps.query("a", "SELECT 1 AS x").build())
                .step(steps.query("b", "SELECT :a_context_x + y AS z FROM 'late.csv'")
                        .output(JobSteps.csv("out.csv"))
                        .build())
                .build();
        RunningJob run = ((LaunchResult.Launched) bench.node.launcher().launch(inJava, JobParameters.NONE)).run();
        assertThat(JobBench.ended(run).status()).isEqualTo(BatchStatus.FAILED);
        bench.write("late.csv", "y\n41\n");

        var ended = bench.run("""
                job: j
                steps:
                  - {id: a, query: {sql: SELECT 1 AS x}}
                  - {id: b, query: {sql: "SELECT :a_context_x + y AS z FROM 'late.csv'", output: {csv: out.csv}}}
                """, Map.of());

        assertThat(ended.status()).as("%s", ended.diagnostics()).isEqualTo(BatchStatus.COMPLETED);
        assertThat(bench.statuses(ended).keySet()).isEqualTo(Set.of("b"));
        assertThat(Files.readString(bench.folder.resolve("out.csv"))).isEqualTo("z\n42\n");
    }
}
