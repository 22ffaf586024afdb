package dev.weighlock.jobs.compile;

import dev.weighlock.batch.flow.FlowNode;
import dev.weighlock.batch.flow.Step;
import dev.weighlock.jobs.file.CsvKeys;
import dev.weighlock.jobs.file.DecisionKeys;
import dev.weighlock.jobs.file.FileStep;
import dev.weighlock.jobs.file.JobScope;
import dev.weighlock.jobs.file.OutputKeys;
import dev.weighlock.jobs.file.SqlSource;
import dev.weighlock.jobs.file.TableKeys;
import dev.weighlock.jobs.sql.SqlTemplate;
import dev.weighlock.jobs.template.PathTemplate;
import dev.weighlock.jobs.yaml.Position;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The steps of job files for a job that is written in Java. The same keys give the same work and the same fingerprint,
 * so that a job may move from a file to a program, or back, between two attempts.
 *
 * {@snippet :
 * var steps = JobSteps.of("report", folder, resources);
 * var job = Job.named("report")
 *         .step(steps.query("totals", "SELECT country, sum(amount) FROM 'orders.csv' GROUP BY ALL")
 *                 .output(JobSteps.csv("out/totals-{day}.csv"))
 *                 .build())
 *         .build();
 * }
 *
 * <p>Paths, SQL and arguments name values as a job file does. Thread-safe; the drafts are not.
 */
public final class JobSteps {
    /** Where texts of Java jobs are said to stand. */
    private static final String JAVA = "java";

    private final JobScope scope;
    private final JobResources resources;

    private JobSteps(JobScope scope, JobResources resources) {
        this.scope = scope;
        this.resources = resources;
    }

    /**
     * Steps of one job, which may read and write below {@code folder}.
     *
     * @param job the name, for the labels of its queries
     * @param folder relative paths begin here
     */
    public static JobSteps of(String job, Path folder, JobResources resources) {
        Path absolute = folder.toAbsolutePath().normalize();
        return of(job, absolute, List.of(absolute), List.of(absolute), resources);
    }

    /** The same with other folders to read and write. */
    public static JobSteps of(
            String job, Path folder, List<Path> readable, List<Path> writable, JobResources resources) {
        Set<String> known = ConcurrentHashMap.newKeySet();
        return new JobSteps(
                new JobScope(job, folder, readable, writable, ZoneOffset.UTC, List.of(), () -> known), resources);
    }

    public QueryDraft query(String id, String sql) {
        return new QueryDraft(this, id, source(sql));
    }

    public SourceDraft source(String id, String connection, String sql, OutputKeys parquet) {
        return new SourceDraft(this, id, connection, source(sql), parquet);
    }

    public ChunkDraft chunk(String id, CsvKeys read, TableKeys write) {
        return new ChunkDraft(this, id, read, write);
    }

    public ShellDraft shell(String id, String... command) {
        return new ShellDraft(this, id, List.of(command));
    }

    public JavaDraft java(String id, String className) {
        return new JavaDraft(this, id, className);
    }

    /** A decision by one text that SQL gives, for {@code JobBuilder.decision}. */
    public FlowNode.DecisionNode decision(String id, String sql) {
        return decision(id, new DecisionKeys.Sql(source(sql)));
    }

    /** A decision by a {@link dev.weighlock.batch.flow.Decider} of that name. */
    public FlowNode.DecisionNode decisionOfClass(String id, String className) {
        return decision(id, new DecisionKeys.OfClass(className));
    }

    private FlowNode.DecisionNode decision(String id, DecisionKeys keys) {
        return new FlowNode.DecisionNode(
                id, new StepFactory(scope, resources).decider(id, keys), StepRevision.of(keys));
    }

    Step step(FileStep step) {
        scope.stepIds().add(step.id());
        return new StepFactory(scope, resources).step(step);
    }

    static SqlSource source(String sql) {
        return new SqlSource(SqlTemplate.parse(sql), JAVA, Position.START);
    }

    /** Delimited files with a header, commas and double quotes, in UTF-8. */
    public static CsvKeys csvFiles(String glob, Map<String, String> schema) {
        return new CsvKeys(
                PathTemplate.parse(glob),
                schema,
                true,
                ',',
                '"',
                StandardCharsets.UTF_8,
                Optional.empty(),
                CsvKeys.OnMissing.FAIL);
    }

    public static TableKeys table(String connection, String table) {
        return new TableKeys(connection, table, TableKeys.Mode.INSERT, List.of());
    }

    /** Rows whose key is there replace what is there. */
    public static TableKeys upsert(String connection, String table, String... key) {
        return new TableKeys(connection, table, TableKeys.Mode.UPSERT, List.of(key));
    }

    public static OutputKeys csv(String path) {
        return output(OutputKeys.Format.CSV, path);
    }

    public static OutputKeys parquet(String path) {
        return output(OutputKeys.Format.PARQUET, path);
    }

    public static OutputKeys jsonLines(String path) {
        return output(OutputKeys.Format.JSONL, path);
    }

    private static OutputKeys output(OutputKeys.Format format, String path) {
        return new OutputKeys(format, PathTemplate.parse(path), true, ',', '"', Optional.empty());
    }
}
