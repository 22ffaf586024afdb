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
import dev.weighlock.batch.launch.LaunchResult;
import dev.weighlock.batch.launch.NodeRuntime;
import dev.weighlock.batch.partition.Partitioning;
import dev.weighlock.batch.repository.AuditEntry;
import dev.weighlock.batch.repository.JobRepository;
import dev.weighlock.batch.repository.NodeInfo;
import dev.weighlock.batch.repository.StopDecision;
import dev.weighlock.batch.run.RunOutcome;
import dev.weighlock.batch.tasklet.TaskletOutcome;
import dev.weighlock.batch.testkit.EmbeddedDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each role does what it may and nothing else. */
class RolesTest {
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
            var ended = (RunOutcome.Ended) run.await(Duration.ofSeconds(60)).orElseThrow();
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
        try (var worker = open("worker");
                var node = NodeRuntime.on(worker).start();
                var operator = open("operator")) {
            var job = Job.named("stopped-by-operator")
                    .step(TaskletStep.of("wait", context -> {
                        context.stopToken().await(Duration.ofSeconds(60));
                        return new TaskletOutcome.Stopped();
                    }))
                    .build();
            var run = ((LaunchResult.Launched) node.launcher().launch(job, JobParameters.NONE)).run();

            operator.requestStop(run.execution().id(), OptionalLong.empty(), "somebody");

            var ended = (RunOutcome.Ended) run.await(Duration.ofSeconds(60)).orElseThrow();
            assertThat(ended.execution().status()).isEqualTo(BatchStatus.STOPPED);
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
