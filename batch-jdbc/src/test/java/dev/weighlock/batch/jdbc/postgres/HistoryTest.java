package dev.weighlock.batch.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.ExecutionContext;
import dev.weighlock.batch.ExitStatus;
import dev.weighlock.batch.FailureCategory;
import dev.weighlock.batch.FailureSummary;
import dev.weighlock.batch.FlowDecision;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.JobName;
import dev.weighlock.batch.JobParameters;
import dev.weighlock.batch.ParameterValue;
import dev.weighlock.batch.PartitionStatus;
import dev.weighlock.batch.StepCounts;
import dev.weighlock.batch.StepExecution;
import dev.weighlock.batch.StepName;
import dev.weighlock.batch.StoredDefinition;
import dev.weighlock.batch.flow.Job;
import dev.weighlock.batch.flow.TaskletStep;
import dev.weighlock.batch.launch.LaunchOptions;
import dev.weighlock.batch.launch.LaunchResult;
import dev.weighlock.batch.launch.NodeRuntime;
import dev.weighlock.batch.repository.AuditEntry;
import dev.weighlock.batch.repository.ChunkProgress;
import dev.weighlock.batch.repository.EnlistedWrite;
import dev.weighlock.batch.repository.JobChange;
import dev.weighlock.batch.repository.JobRepository;
import dev.weighlock.batch.repository.LaunchDecision;
import dev.weighlock.batch.repository.LaunchRequest;
import dev.weighlock.batch.repository.NodeInfo;
import dev.weighlock.batch.repository.PartitionChange;
import dev.weighlock.batch.repository.PlannedPartition;
import dev.weighlock.batch.repository.StepChange;
import dev.weighlock.batch.run.RunOutcome;
import dev.weighlock.batch.tasklet.TaskletOutcome;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.jdbc.PreferQueryMode;

/**
 * What the operations of a run cost the server, by its own count ({@code pg_stat_statements}): the same at any length of
 * history, and no plan reads a table from end to end.
 */
class HistoryTest {
    private static final StepName STEP = new StepName("load");
    private static final AuditEntry AUDIT = new AuditEntry("accept-change", "somebody@here", "because");

    /** Without BEGIN and COMMIT, which the server does not count each time. A plan of three rows is two inserts. */
    private static final Map<String, Long> STATEMENTS = statements();

    private final TestStore store = TestStore.onNewest();
    private final JobRepository repository = store.open();
    private final NodeInfo node = new NodeInfo(UUID.randomUUID().toString(), "localhost", 1);

    private static Map<String, Long> statements() {
        var statements = new LinkedHashMap<String, Long>();
        statements.put("launch", 1L);
        statements.put("launch lost", 2L);
        statements.put("start", 1L);
        statements.put("begin step", 1L);
        statements.put("chunk", 1L);
        statements.put("chunk with rows", 2L);
        statements.put("plan", 4L);
        statements.put("claim", 1L);
        statements.put("partition", 1L);
        statements.put("totals", 1L);
        statements.put("end step", 1L);
        statements.put("decision", 1L);
        statements.put("stop", 4L);
        statements.put("end", 1L);
        statements.put("restart", 1L);
        statements.put("restart with audit", 2L);
        statements.put("last execution", 1L);
        statements.put("last step", 1L);
        statements.put("decisions", 1L);
        statements.put("copy plan", 3L);
        statements.put("first page", 1L);
        statements.put("last page", 1L);
        statements.put("jobs", 1L);
        statements.put("job of one step", 2L);
        return statements;
    }

    @BeforeEach
    void register() throws Exception {
        store.run("CREATE EXTENSION IF NOT EXISTS pg_stat_statements SCHEMA public");
        repository.register(node);
    }

    @AfterEach
    void close() {
        repository.close();
        store.close();
    }

    @Test
    void operations_overTenThousandExecutions_costAConstant() throws Exception {
        load(10_000, 100);
        assertThat(costs(100)).isEqualTo(STATEMENTS);
        assertNoTableIsRead();
    }

    @Tag("long")
    @Test
    void operations_overAMillionExecutions_costTheSame() throws Exception {
        load(1_000_000, 2_000);
        assertThat(costs(2_000)).isEqualTo(STATEMENTS);
        assertNoTableIsRead();
    }

    /** Executions of many instances, and one instance with many failed attempts; two steps and a partition each. */
    private void load(int executions, int attempts) throws Exception {
        store.run("INSERT INTO definition (digest, job_name, format, content) VALUES ('d', 'old', 'java/1', 'x')");
        store.run("INSERT INTO node (id, host, pid, ended_at) SELECT 'old-' || g, 'old', g, now()"
                + " FROM generate_series(1, 50) g");
        store.run("INSERT INTO job (name) SELECT 'old-' || g FROM generate_series(1, 20) g");
        store.run("INSERT INTO job_instance (job_id, identity) SELECT j.id, 'i' || g FROM job j,"
                + " generate_series(1, " + executions / 80 + ") g");
        store.run(execution("SELECT i.job_id, i.id, a FROM job_instance i, generate_series(1, 4) a"));
        // The instance that is gone on with.
        store.run("INSERT INTO job (name) VALUES ('again')");
        store.run("INSERT INTO job_instance (job_id, identity) SELECT id, '"
                + parameters("again").identity() + "' FROM job WHERE name = 'again'");
        store.run(execution("SELECT i.job_id, i.id, a FROM job_instance i JOIN job j ON j.id = i.job_id"
                + " CROSS JOIN generate_series(1, " + attempts + ") a WHERE j.name = 'again'"));
        store.run("INSERT INTO flow_decision (instance_id, execution_id, node, exit_code, target, decided_at)"
                + " SELECT instance_id, id, 'load', 'FAILED', 'FAIL', created_at FROM job_execution");
        store.run(
                "INSERT INTO step_execution (execution_id, instance_id, step_name, attempt, status, exit_code, version,"
                        + " epoch, context, partitioned, started_at, ended_at, failure_category, failure_id)"
                        + " SELECT id, instance_id, 'load', attempt, 'FAILED', 'FAILED', 2, epoch, context, true, created_at,"
                        + " ended_at, failure_category, failure_id FROM job_execution");
        store.run("INSERT INTO partition_execution (step_execution_id, ordinal, partition_key, input, context, status,"
                + " exit_code, failure_category, failure_id)"
                + " SELECT id, 0, 'k0', context, context, 'FAILED', 'FAILED', 'STEP_FAILED', 'f' FROM step_execution");
        store.run("UPDATE job SET executions = c.executions, instances = c.instances, last_execution_id = c.last FROM"
                + " (SELECT job_id, count(*) AS executions, count(DISTINCT instance_id) AS instances, max(id) AS last"
                + " FROM job_execution GROUP BY job_id) c WHERE c.job_id = job.id");
        store.run("ANALYZE");
    }

    private static String execution(String from) {
        return "INSERT INTO job_execution (job_id, instance_id, attempt, parameters, definition_digest, fingerprint, status,"
                + " exit_code, version, epoch, owner_node, launch_key, context, created_at, ended_at, failure_category,"
                + " failure_id) SELECT f.job_id, f.id, f.a, '[]', 'd', 'p', 'FAILED', 'FAILED', 3, f.a,"
                + " 'old-' || (1 + f.id % 50), gen_random_uuid(), '" + ExecutionContext.EMPTY.toJson()
                + "', now(), now(), 'STEP_FAILED', 'f' FROM (" + from + ") f";
    }

    private static JobParameters parameters(String job) {
        return JobParameters.NONE.with("of", new ParameterValue.StringValue(job));
    }

    private LaunchRequest request(String job, OptionalLong previous, List<AuditEntry> audit) {
        var definition = new StoredDefinition("d", new JobName(job), "java/1", "x");
        return new LaunchRequest(new JobName(job), parameters(job), definition, "p", previous, node.id(), audit);
    }

    /** One operation after another, each counted. */
    private Map<String, Long> costs(int attempts) throws Exception {
        var costs = new LinkedHashMap<String, Long>();
        // Each connection asks for types and prepares itself once; a job's row is made with its first launch.
        created(repository.createExecution(request("new", OptionalLong.empty(), List.of())));
        store.run("SELECT public.pg_stat_statements_reset()");
        var other = request("new", OptionalLong.empty(), List.of());
        var launched = counted(
                costs,
                "launch",
                () -> created(repository.createExecution(new LaunchRequest(
                        other.job(),
                        parameters("another"),
                        other.definition(),
                        "p",
                        OptionalLong.empty(),
                        node.id(),
                        List.of()))));
        counted(costs, "launch lost", () -> repository.createExecution(other));
        var started = counted(costs, "start", () -> repository.update(launched, to(BatchStatus.STARTED)));
        var step = counted(costs, "begin step", () -> repository.createStep(started, STEP, 1_000_000, true));
        var chunked = counted(costs, "chunk", () -> repository.commitChunk(step, progress(1), EnlistedWrite.NONE));
        var last = counted(
                costs,
                "chunk with rows",
                () -> repository.commitChunk(chunked, progress(2), connection -> {
                    try (var statement = connection.createStatement()) {
                        statement.execute("SELECT 1");
                    }
                }));
        partitions(costs, last);
        counted(costs, "end step", () -> repository.update(last, stepTo(BatchStatus.FAILED), EnlistedWrite.NONE));
        counted(costs, "decision", () -> {
            repository.recordDecision(started, new FlowDecision("load", "FAILED", "FAIL"));
            return true;
        });
        counted(costs, "stop", () -> repository.requestStop(started.id(), OptionalLong.empty(), "somebody"));
        counted(costs, "end", () -> repository.update(started, to(BatchStatus.FAILED)));
        restarts(costs, attempts);
        counted(
                costs,
                "first page",
                () -> repository.executions(Optional.of(new JobName("old-7")), Optional.empty(), 20));
        counted(costs, "last page", () -> repository.executions(Optional.of(new JobName("old-7")), lastPage(), 20));
        counted(costs, "jobs", () -> repository.jobs(Optional.empty(), 20));
        wholeJob(costs);
        return costs;
    }

    /** The cursor with which the oldest executions follow. */
    private Optional<String> lastPage() {
        return Optional.of(
                Base64.getUrlEncoder().withoutPadding().encodeToString("e30".getBytes(StandardCharsets.UTF_8)));
    }

    private void partitions(Map<String, Long> costs, StepExecution step) throws Exception {
        var plan = List.of("a", "b", "c").stream()
                .map(key -> new PlannedPartition(key, ExecutionContext.EMPTY))
                .toList();
        counted(costs, "plan", () -> {
            repository.plan(step, plan);
            return true;
        });
        var claimed = counted(costs, "claim", () -> repository.claim(step, 2)).getFirst();
        var change = new PartitionChange(
                PartitionStatus.COMPLETED,
                ExitStatus.COMPLETED,
                StepCounts.ZERO,
                ExecutionContext.EMPTY,
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
        counted(costs, "partition", () -> repository.update(step, claimed, change, EnlistedWrite.NONE));
        counted(costs, "totals", () -> repository.totals(step));
    }

    private void wholeJob(Map<String, Long> costs) throws Exception {
        var job = Job.named("whole")
                .step(TaskletStep.of("nothing", context -> TaskletOutcome.COMPLETED))
                .build();
        try (var another = store.open();
                var runtime = NodeRuntime.on(another).start()) {
            run(runtime, job, "first");
            counted(costs, "job of one step", () -> run(runtime, job, "second"));
        }
    }

    private static BatchStatus run(NodeRuntime runtime, Job job, String parameters) throws InterruptedException {
        var options = LaunchOptions.DEFAULT.withCallerThread();
        var run = ((LaunchResult.Launched) runtime.launcher().launch(job, parameters(parameters), options)).run();
        return ((RunOutcome.Ended) run.await()).execution().status();
    }

    private void restarts(Map<String, Long> costs, int attempts) throws Exception {
        var instance = repository
                .instance(new JobName("again"), parameters("again").identity())
                .orElseThrow();
        var previous = repository.lastExecution(instance.id()).orElseThrow();
        assertThat(previous.attempt()).isEqualTo(attempts);
        var again = counted(
                costs,
                "restart",
                () -> created(repository.createExecution(request("again", OptionalLong.of(previous.id()), List.of()))));
        var failed = repository.update(repository.update(again, to(BatchStatus.STARTED)), to(BatchStatus.FAILED));
        var audited = counted(
                costs,
                "restart with audit",
                () -> created(
                        repository.createExecution(request("again", OptionalLong.of(failed.id()), List.of(AUDIT)))));
        counted(costs, "last execution", () -> repository.lastExecution(instance.id()));
        counted(costs, "last step", () -> repository.lastStep(instance.id(), STEP));
        counted(costs, "decisions", () -> repository.decisions(instance.id()));
        var step = repository.createStep(repository.update(audited, to(BatchStatus.STARTED)), STEP, 1_000_000, true);
        counted(costs, "copy plan", () -> repository.copyPlan(step));
    }

    /** What is called. */
    @FunctionalInterface
    private interface Call<T> {
        T make() throws Exception;
    }

    /** The statements of everything before were counted: this call's are what has come since. */
    private <T> T counted(Map<String, Long> costs, String name, Call<T> call) throws Exception {
        long before = statementsSoFar();
        T result = call.make();
        costs.put(name, statementsSoFar() - before);
        return result;
    }

    /** Statements of this repository's connections; the proof of life and the look for stops go by time, not by work. */
    private long statementsSoFar() throws Exception {
        return store.number("""
                SELECT coalesce(sum(calls), 0) FROM public.pg_stat_statements
                WHERE (query ~ '(job|instance|execution|decision|definition|audit|partition)' OR query = 'SELECT $1')
                    AND query !~ '(pg_stat_|FROM node|JOIN node|UPDATE node|INTO node|TRUNCATE|stop_requested_at IS NOT NULL)'
                """);
    }

    private static JobExecution created(LaunchDecision decision) {
        return ((LaunchDecision.Created) decision).execution();
    }

    private static ChunkProgress progress(long items) {
        return new ChunkProgress(new StepCounts(items, items, items, 0, 0, 0, 0, items, 0), ExecutionContext.EMPTY);
    }

    private static JobChange to(BatchStatus status) {
        return new JobChange(status, exit(status), ExecutionContext.EMPTY, failure(status), Optional.empty());
    }

    private static StepChange stepTo(BatchStatus status) {
        return new StepChange(
                status,
                exit(status),
                StepCounts.ZERO,
                ExecutionContext.EMPTY,
                Optional.empty(),
                failure(status),
                Optional.empty(),
                Optional.empty());
    }

    private static ExitStatus exit(BatchStatus status) {
        return status == BatchStatus.FAILED ? ExitStatus.FAILED : ExitStatus.UNKNOWN;
    }

    private static Optional<FailureSummary> failure(BatchStatus status) {
        return status == BatchStatus.FAILED
                ? Optional.of(new FailureSummary(FailureCategory.STEP_FAILED, "f"))
                : Optional.empty();
    }

    /** Asks the server how it would run each statement that it has run, whatever the parameters. */
    private void assertNoTableIsRead() throws Exception {
        var plans = new LinkedHashMap<String, String>();
        var queries = store.texts("""
                SELECT query FROM public.pg_stat_statements
                WHERE query ~ '^(SELECT|INSERT|UPDATE|WITH|DELETE)' AND query ~ '(_execution|flow_decision|job_instance)'
                    AND query !~ '(pg_stat_|generate_series)'
                """);
        assertThat(queries).hasSizeGreaterThan(20);
        // Statements with parameters and no values: only the simple protocol takes them.
        var source = store.settings().server().source(store.settings().options());
        source.setPreferQueryMode(PreferQueryMode.SIMPLE);
        try (var connection = store.settings().server().connect(source)) {
            for (var query : queries) {
                plans.put(query, plan(connection, query));
            }
        }
        assertThat(plans)
                .allSatisfy((query, plan) -> assertThat(plan)
                        .as(query)
                        .doesNotContainPattern(
                                "Seq Scan on (job_execution|step_execution|partition_execution|flow_decision"
                                        + "|job_instance|audit_entry)"));
    }

    private static String plan(Connection connection, String query) throws SQLException {
        var plan = new StringBuilder();
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery("EXPLAIN (GENERIC_PLAN) " + query)) {
            while (rows.next()) {
                plan.append(rows.getString(1)).append('\n');
            }
        }
        return plan.toString();
    }
}
