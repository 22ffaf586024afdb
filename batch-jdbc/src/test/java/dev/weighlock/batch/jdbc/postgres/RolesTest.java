package dev.weighlock.batch.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;
import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.JobParameters;
import dev.weighlock.batch.flow.Job;
import dev.weighlock.batch.flow.TaskletStep;
import dev.weighlock.batch.jdbc.store.SchemaStatus;
import dev.weighlock.batch.launch.LaunchResult;
import dev.weighlock.batch.launch.NodeRuntime;
import dev.weighlock.batch.operate.Instruction;
import dev.weighlock.batch.operate.JobOperator;
import dev.weighlock.batch.operate.Purge;
import dev.weighlock.batch.operate.PurgeEffects;
import dev.weighlock.batch.partition.Partitioning;
import dev.weighlock.batch.repository.AuditEntry;
import dev.weighlock.batch.repository.JobRepository;
import dev.weighlock.batch.repository.LaunchDecision;
import dev.weighlock.batch.repository.LaunchRequest;
import dev.weighlock.batch.repository.NodeInfo;
import dev.weighlock.batch.repository.PurgeRule;
import dev.weighlock.batch.repository.StopDecision;
import dev.weighlock.batch.run.RunOutcome;
import dev.weighlock.batch.tasklet.TaskletOutcome;
import dev.weighlock.batch.testkit.EmbeddedDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each role does what it may and nothing else. */
class RolesTest {
    private static final Instruction EVE = new Instruction("eve", "because");
    private static final PurgeRule OLD = new PurgeRule(Instant.parse("2002-01-01T00:00:00Z"), 0);
    private static final AuditEntry AUDIT = new AuditEntry("abandon", "somebody@here", "because");

    private static String database;

    @BeforeAll
    static void prepare() throws Exception {
        database = EmbeddedDatabase.createDatabase();
        run(PostgresRoles.script());
        for (var role : List.of("owner", "worker", "operator", "viewer")) {
            run("CREATE ROLE test_" + role + " LOGIN IN ROLE weighlock_" + role);
        }
        run("ALTER ROLE test_owner SET role = weighlock_owner");
        new PostgresSchema(settings("owner")).migrate();
        run(PostgresRoles.script());
        run("CREATE ROLE test_stranger LOGIN");
    }

    private static void run(String sql) throws SQLException {
        try (var connection = EmbeddedDatabase.connect(database);
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static PostgresSettings settings(String role) {
        return PostgresSettings.of(
                EmbeddedDatabase.url(database), () -> Optional.of("test_" + role), () -> Optional.of("any"));
    }

    private static JobRepository open(String role) {
        return PostgresRepository.open(settings(role));
    }

    private static void assertMayNot(ThrowingCallable call) {
        var refusal = catchThrowableOfType(BatchException.class, call);
        assertThat(refusal).as("refusal").isNotNull();
        assertThat(refusal.error()).isEqualTo(BatchError.REPOSITORY_UNAVAILABLE);
        assertThat(refusal).hasMessageContaining("may not").hasMessageContaining("permission denied");
    }

    /** A job with a partitioned step, run by a worker to its end; returns the execution's id. */
    private static long runJob(String name, boolean fails) throws Exception {
        var step = TaskletStep.of("work", context -> {
            if (fails) {
                throw new IllegalStateException("as asked");
            }
            return TaskletOutcome.COMPLETED;
        });
        var parts = TaskletStep.named("parts", context -> TaskletOutcome.COMPLETED)
                .partitioned(Partitioning.keys(List.of("a", "b")).withWorkers(2))
                .build();
        var job = Job.named(name).step(parts).step(step).build();
        try (var repository = open("worker");
                var node = NodeRuntime.on(repository).start()) {
            var run = ((LaunchResult.Launched) node.launcher().launch(job, JobParameters.NONE)).run();
            var ended = (RunOutcome.Ended) run.await(Duration.ofMinutes(5)).orElseThrow();
            assertThat(ended.execution().status()).isEqualTo(fails ? BatchStatus.FAILED : BatchStatus.COMPLETED);
            return ended.execution().id();
        }
    }

    @Test
    void worker_runsJobs() throws Exception {
        assertThat(runJob("by-worker", false)).isPositive();
    }

    @Test
    void viewer_seesAndChangesNothing() throws Exception {
        long failed = runJob("viewed", true);
        try (var repository = open("viewer")) {
            var execution = repository.execution(failed).orElseThrow();
            assertThat(repository.steps(failed)).hasSize(2);
            assertThat(repository.jobs(Optional.empty(), 10).items()).isNotEmpty();
            assertThat(repository.definition(execution.definitionDigest())).isPresent();

            assertMayNot(() -> repository.requestStop(failed, OptionalLong.empty(), "somebody"));
            assertMayNot(() -> repository.abandon(execution, AUDIT));
            assertMayNot(() -> repository.register(node()));
        }
    }

    private static NodeInfo node() {
        return new NodeInfo(UUID.randomUUID().toString(), "localhost", 1);
    }

    @Test
    void operator_asksForStopsAndEndsExecutionsAndRunsNothing() throws Exception {
        long failed = runJob("operated", true);
        try (var repository = open("operator")) {
            assertThat(repository.requestStop(failed, OptionalLong.empty(), "somebody"))
                    .isInstanceOf(StopDecision.AlreadyFinished.class);
            var abandoned = repository.abandon(repository.execution(failed).orElseThrow(), AUDIT);
            assertThat(abandoned.status()).isEqualTo(BatchStatus.ABANDONED);

            assertMayNot(() -> repository.register(node()));
        }
    }

    @Test
    void operator_stopsWhatRuns() throws Exception {
        var running = new CountDownLatch(1);
        try (var worker = open("worker");
                var node = NodeRuntime.on(worker).start();
                var operator = open("operator")) {
            var job = Job.named("stopped-by-operator")
                    .step(TaskletStep.of("wait", context -> {
                        running.countDown();
                        return context.stopToken().await(Duration.ofMinutes(5))
                                ? TaskletOutcome.STOPPED
                                : TaskletOutcome.COMPLETED;
                    }))
                    .build();
            var run = ((LaunchResult.Launched) node.launcher().launch(job, JobParameters.NONE)).run();
            running.await();

            operator.requestStop(run.execution().id(), OptionalLong.empty(), "somebody");

            var ended = (RunOutcome.Ended) run.await(Duration.ofMinutes(2)).orElseThrow();
            assertThat(ended.execution().status()).isEqualTo(BatchStatus.STOPPED);
            assertThat(ended.execution().stop().request().orElseThrow().actor()).isEqualTo("somebody");
            assertThat(ended.execution().stop().seenAt()).isPresent();
        }
    }

    /** What a person asks for, on something that was prepared for it. */
    enum Act {
        HOLD {
            @Override
            void on(Prepared thing, JobOperator operator, PostgresSettings settings) {
                assertThat(operator.hold(thing.failed(), EVE).changed()).isTrue();
            }
        },
        RELEASE {
            @Override
            void on(Prepared thing, JobOperator operator, PostgresSettings settings) {
                assertThat(operator.release(thing.held(), EVE).changed()).isTrue();
            }
        },
        RECOVER {
            @Override
            void on(Prepared thing, JobOperator operator, PostgresSettings settings) {
                var digest = operator.proposeRecovery(thing.orphan()).digest();
                var recovered = operator.recover(thing.orphan(), digest, BatchStatus.ABANDONED, EVE);
                assertThat(recovered.value().status()).isEqualTo(BatchStatus.ABANDONED);
            }
        },
        ABANDON {
            @Override
            void on(Prepared thing, JobOperator operator, PostgresSettings settings) {
                assertThat(operator.abandon(thing.failed(), EVE).changed()).isTrue();
            }
        },
        PLAN_PURGE {
            @Override
            void on(Prepared thing, JobOperator operator, PostgresSettings settings) {
                try (var repository = PostgresRepository.open(settings)) {
                    assertThat(new Purge(repository).plan(OLD).executions()).isPositive();
                }
            }
        },
        PURGE {
            @Override
            void on(Prepared thing, JobOperator operator, PostgresSettings settings) {
                try (var repository = PostgresRepository.open(settings)) {
                    var purge = new Purge(repository);
                    var purged = purge.apply(purge.plan(OLD).digest(), EVE, PurgeEffects.NONE);
                    assertThat(purged.value().executions()).isPositive();
                }
            }
        },
        SCHEMA_STATUS {
            @Override
            void on(Prepared thing, JobOperator operator, PostgresSettings settings) {
                assertThat(new PostgresSchema(settings).status()).isInstanceOf(SchemaStatus.Current.class);
            }
        },
        SCHEMA_MIGRATE {
            @Override
            void on(Prepared thing, JobOperator operator, PostgresSettings settings) {
                assertThat(new PostgresSchema(settings.withSchema(thing.schema())).migrate())
                        .isPositive();
            }
        };

        abstract void on(Prepared thing, JobOperator operator, PostgresSettings settings);
    }

    /**
     * What acts are tried on; another one each time.
     *
     * @param old ended long ago
     * @param schema an empty one that the owner's role owns
     */
    record Prepared(long failed, long held, long orphan, long old, String schema) {}

    private static Prepared prepared(String name) throws Exception {
        long held = runJob(name + "-held", true);
        try (var owner = open("owner")) {
            new JobOperator(owner).hold(held, EVE);
        }
        long old = runJob(name + "-old", true);
        run("UPDATE weighlock.job_execution SET ended_at = '2001-01-01' WHERE id = " + old);
        var schema = name.replace('-', '_');
        run("CREATE SCHEMA " + schema + " AUTHORIZATION weighlock_owner");
        return new Prepared(runJob(name + "-failed", true), held, orphan(name + "-orphan"), old, schema);
    }

    /** What a worker leaves whose process is gone. */
    private static long orphan(String name) {
        var job = Job.named(name)
                .step(TaskletStep.of("work", context -> TaskletOutcome.COMPLETED))
                .build();
        try (var worker = open("worker")) {
            var node = node();
            worker.register(node);
            var request = new LaunchRequest(
                    job.name(),
                    JobParameters.NONE,
                    job.definition(),
                    job.fingerprint(),
                    OptionalLong.empty(),
                    node.id(),
                    List.of());
            return ((LaunchDecision.Created) worker.createExecution(request))
                    .execution()
                    .id();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "viewer, PLAN_PURGE SCHEMA_STATUS",
        "operator, PLAN_PURGE SCHEMA_STATUS HOLD RELEASE RECOVER ABANDON",
        "worker, PLAN_PURGE SCHEMA_STATUS RECOVER ABANDON",
        "owner, PLAN_PURGE SCHEMA_STATUS HOLD RELEASE RECOVER ABANDON PURGE SCHEMA_MIGRATE"
    })
    void eachRole_doesTheseActsAndNoOthers(String role, String allowed) throws Exception {
        var may = List.of(allowed.split(" "));
        for (var act : Act.values()) {
            var thing = prepared("by-" + role + "-" + act.name().toLowerCase(Locale.ROOT));
            var before = state(thing);
            try (var repository = open(role)) {
                var operator = new JobOperator(repository);
                if (may.contains(act.name())) {
                    act.on(thing, operator, settings(role));
                } else {
                    assertMayNot(() -> act.on(thing, operator, settings(role)));
                    assertThat(state(thing)).as("%s by %s", act, role).isEqualTo(before);
                }
            }
        }
    }

    /** All that an act could have changed. */
    private static List<Object> state(Prepared thing) {
        try (var viewer = open("viewer")) {
            var all = new ArrayList<Object>();
            for (long id : List.of(thing.failed(), thing.held(), thing.orphan(), thing.old())) {
                var execution = viewer.execution(id).orElseThrow();
                all.addAll(List.of(execution, viewer.hold(execution.instance().id()), viewer.auditTrail(id, 10)));
            }
            return all;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"worker", "operator", "viewer"})
    void onlyTheOwner_makesOrChangesTables(String role) throws Exception {
        try (var connection =
                        settings(role).server().connect(settings(role).server().source("-c TimeZone=UTC"));
                var statement = connection.createStatement()) {
            for (var sql : List.of(
                    "CREATE TABLE weighlock.mine (id int)",
                    "ALTER TABLE weighlock.job ADD mine int",
                    "DELETE FROM weighlock.job_execution",
                    "DELETE FROM weighlock.audit_entry",
                    "UPDATE weighlock.audit_entry SET actor = 'nobody'",
                    "UPDATE weighlock.schema_migration SET version = 0",
                    "TRUNCATE weighlock.flow_decision")) {
                assertThatThrownBy(() -> statement.execute(sql))
                        .as(sql)
                        .isInstanceOfSatisfying(
                                SQLException.class,
                                refusal -> assertThat(refusal.getSQLState()).isEqualTo("42501"));
            }
        }
    }

    @Test
    void stranger_seesNothing() {
        assertMayNot(() -> open("stranger"));
    }

    /** Everything that a role may write, column rights of the operator apart. */
    @ParameterizedTest
    @CsvSource(delimiter = ':', textBlock = """
                    viewer   :
                    operator : INSERT audit_entry, INSERT hold
                    worker   : DELETE node, DELETE node_backend, DELETE node_job, INSERT audit_entry, INSERT definition, INSERT flow_decision, INSERT job, INSERT job_execution, INSERT job_instance, INSERT launch_request, INSERT node, INSERT node_backend, INSERT node_job, INSERT partition_execution, INSERT step_execution, UPDATE job, UPDATE job_execution, UPDATE launch_request, UPDATE node, UPDATE partition_execution, UPDATE step_execution
                    """)
    void writeRights_areThese(String role, String expected) throws Exception {
        var rights = new TreeSet<String>();
        try (var connection = EmbeddedDatabase.connect(database);
                var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT privilege_type || ' ' || table_name FROM"
                        + " information_schema.role_table_grants WHERE table_schema = 'weighlock' AND grantee ="
                        + " 'weighlock_" + role + "' AND privilege_type <> 'SELECT'")) {
            while (rows.next()) {
                rights.add(rows.getString(1));
            }
        }
        assertThat(String.join(", ", rights)).isEqualTo(expected == null ? "" : expected);
    }
}
