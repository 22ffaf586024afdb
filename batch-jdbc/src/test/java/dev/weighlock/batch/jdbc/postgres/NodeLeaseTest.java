package dev.weighlock.batch.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;
import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.JobParameters;
import dev.weighlock.batch.flow.Job;
import dev.weighlock.batch.flow.TaskletStep;
import dev.weighlock.batch.launch.LaunchResult;
import dev.weighlock.batch.launch.NodeRuntime;
import dev.weighlock.batch.launch.NodeSettings;
import dev.weighlock.batch.repository.AuditEntry;
import dev.weighlock.batch.repository.NodeInfo;
import dev.weighlock.batch.run.RunOutcome;
import dev.weighlock.batch.tasklet.TaskletOutcome;
import dev.weighlock.batch.testing.Await;
import dev.weighlock.batch.testkit.CutProxy;
import dev.weighlock.batch.testkit.EmbeddedDatabase;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeLeaseTest {
    private static final Duration LONG = Duration.ofMinutes(5);

    @TempDir
    Path folder;

    private String database;
    private PostgresSettings settings;

    @BeforeEach
    void migrate() throws Exception {
        database = EmbeddedDatabase.createDatabase();
        settings = PostgresSettings.of(
                        EmbeddedDatabase.url(database),
                        () -> Optional.of(EmbeddedDatabase.USER),
                        () -> Optional.of("any"))
                .withLockFolder(folder);
        new PostgresSchema(settings).migrate();
    }

    @Test
    void registration_whoseAnswerIsLost_isTriedAgain() {
        try (var proxy = CutProxy.start(EmbeddedDatabase.port());
                var repository = PostgresRepository.open(
                        settings.withControlUrl(EmbeddedDatabase.url(database, proxy.port())))) {
            proxy.cutAnswer("INSERT 0 1", 1);
            var node = node();

            repository.register(node);

            assertThat(proxy.cuts()).isEqualTo(1);
            assertThat(repository.node(node.id())).contains(node);
            assertThat(repository.unfit()).isEmpty();
        }
    }

    /** A short lease bounds its renewals, not its beginning. */
    @Test
    void registration_thatTakesLongerThanARenewalMay_succeeds() throws Exception {
        try (var repository =
                        PostgresRepository.open(settings.withLease(Duration.ofMillis(200), Duration.ofSeconds(1)));
                var holder = EmbeddedDatabase.connect(database);
                var statement = holder.createStatement();
                var registering = Executors.newSingleThreadExecutor()) {
            holder.setAutoCommit(false);
            statement.execute("LOCK TABLE weighlock.node IN EXCLUSIVE MODE");
            var node = node();
            var registered = registering.submit(() -> repository.register(node));
            Await.until(() -> number("SELECT count(*) FROM pg_locks WHERE NOT granted") == 1);
            assertThatThrownBy(() -> registered.get(3, TimeUnit.SECONDS)).isInstanceOf(TimeoutException.class);

            holder.rollback();

            registered.get();
            assertThat(repository.node(node.id())).contains(node);
        }
    }

    private static NodeInfo node() {
        return new NodeInfo(UUID.randomUUID().toString(), "a-host", 4711);
    }

    private long number(String sql) {
        try (var connection = EmbeddedDatabase.connect(database);
                var statement = connection.createStatement()) {
            statement.execute("SET search_path = weighlock");
            try (var row = statement.executeQuery(sql)) {
                row.next();
                return row.getLong(1);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void everyConnectionOfANode_isRecorded() {
        try (var repository = PostgresRepository.open(settings)) {
            // One of the pool's is there before the node is.
            assertThat(repository.deadExecutions()).isEmpty();
            var node = node();
            repository.register(node);
            assertThat(repository.node(node.id())).contains(node);
            repository.push();

            assertThat(number("SELECT count(*) FROM node_backend")).isGreaterThanOrEqualTo(2);
            // One that is ending is gone soon.
            Await.until(() -> unrecorded() == 0);
        }
    }

    /** Connections to the database that no node's record names. */
    private long unrecorded() {
        return number("""
                SELECT count(*) FROM pg_stat_activity a
                WHERE datname = current_database() AND backend_type = 'client backend'
                AND pid <> pg_backend_pid() AND NOT EXISTS (
                    SELECT 1 FROM node_backend b
                    WHERE b.backend_pid = a.pid AND b.backend_start = a.backend_start)
                """);
    }

    /** Whoever takes over from it could not end what is not recorded: such a connection is used by nobody. */
    @Test
    void nodeWhoseRowIsGone_usesNoConnectionBeforeItIsThereAgain() throws Exception {
        try (var repository = PostgresRepository.open(settings)) {
            var node = node();
            repository.register(node);
            assertThat(repository.node(node.id())).contains(node);
            run("DELETE FROM weighlock.node");
            run("SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity"
                    + " WHERE datname = current_database() AND application_name = 'weighlock'");

            assertThat(repository.node(node.id())).contains(node);

            Await.until(() -> unrecorded() == 0);
        }
    }

    /** As after a sleep of the whole machine: what ran before is not its own any more. */
    @Test
    void nodeWhoseRowWasCleanedAway_learnsOfItAsALapseAndRecordsItsConnectionsAnew() throws Exception {
        try (var repository = PostgresRepository.open(settings.withLease(Duration.ofMillis(200), LONG))) {
            var node = node();
            repository.register(node);
            var told = new CompletableFuture<String>();
            repository.onLapse(told::complete);

            run("DELETE FROM weighlock.node");

            assertThat(told.get(300, TimeUnit.SECONDS)).contains("cleaned away");
            Await.until(() -> repository.node(node.id()).isPresent() && unrecorded() == 0);
        }
    }

    private void run(String sql) throws SQLException {
        try (var connection = EmbeddedDatabase.connect(database);
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Test
    void skewOfTheClock_isShownAndDecidesNothing() {
        try (var ahead = PostgresRepository.open(settings, Clock.offset(Clock.systemUTC(), Duration.ofHours(1)));
                var other = PostgresRepository.open(settings)) {
            var node = node();
            ahead.register(node);
            other.register(node());

            assertThat(number("SELECT extract(epoch FROM clock_skew)::bigint FROM node WHERE id = '" + node.id() + "'"))
                    .isBetween(3540L, 3660L);
            assertThat(ahead.unfit()).isEmpty();
        }
    }

    @Test
    void nodeThatRanNothing_leavesNoRow() {
        try (var repository = PostgresRepository.open(settings)) {
            repository.register(node());
            assertThat(number("SELECT count(*) FROM node")).isEqualTo(1);
        }

        assertThat(number("SELECT count(*) FROM node")).isZero();
        assertThat(number("SELECT count(*) FROM node_backend")).isZero();
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void nodeThatRanSomething_isMarkedAsEnded() throws Exception {
        try (var repository = PostgresRepository.open(settings);
                var node = NodeRuntime.on(repository).start()) {
            run(node, "job");
        }

        assertThat(number("SELECT count(*) FROM node WHERE ended_at IS NOT NULL"))
                .isEqualTo(1);
        assertThat(number("SELECT count(*) FROM node_backend")).isZero();
    }

    @Test
    void nodeLostLongAgo_isCleanedAwayByAnother() throws Exception {
        run("""
                INSERT INTO weighlock.node (id, host, pid, heartbeat_at)
                VALUES ('lost', 'a-host', 1, clock_timestamp() - interval '1 hour')
                """);
        try (var repository =
                PostgresRepository.open(settings.withLease(Duration.ofMillis(200), Duration.ofSeconds(10)))) {
            repository.register(node());

            Await.until(() -> number("SELECT count(*) FROM node WHERE id = 'lost'") == 0);
        }
    }

    /** The lapse must not wait for an answer that does not come. */
    @Test
    void lapse_whileARenewalHangs_isToldMeanwhile() throws Exception {
        var told = new LinkedBlockingQueue<Boolean>();
        try (var repository =
                        PostgresRepository.open(settings.withLease(Duration.ofMillis(200), Duration.ofMillis(600)));
                var holder = EmbeddedDatabase.connect(database);
                var statement = holder.createStatement()) {
            repository.register(node());
            repository.onLapse(why -> told.add(isControlThreadInTheDriver()));
            holder.setAutoCommit(false);
            boolean meanwhile = false;
            // A busy machine may bring a lapse of its own just before the lock is taken: then once more.
            for (int tries = 0; !meanwhile && tries < 20; tries++) {
                statement.execute("SELECT id FROM weighlock.node FOR UPDATE");
                meanwhile = Boolean.TRUE.equals(told.poll(10, TimeUnit.SECONDS));
                holder.rollback();
                Await.until(() -> repository.unfit().isEmpty());
            }

            assertThat(meanwhile).isTrue();
        }
    }

    private static boolean isControlThreadInTheDriver() {
        return Thread.getAllStackTraces().entrySet().stream()
                .filter(thread -> thread.getKey().getName().equals("weighlock-control"))
                .flatMap(thread -> Arrays.stream(thread.getValue()))
                .anyMatch(frame -> frame.getClassName().startsWith("org.postgresql."));
    }

    private static BatchStatus run(NodeRuntime node, String name) throws InterruptedException {
        var job = Job.named(name)
                .step(TaskletStep.of("work", context -> TaskletOutcome.COMPLETED))
                .build();
        var run = ((LaunchResult.Launched) node.launcher().launch(job, JobParameters.NONE)).run();
        return ((RunOutcome.Ended) run.await(LONG).orElseThrow()).execution().status();
    }

    /** Its lock is held and its pool is well: only its heartbeats do not arrive. */
    @Test
    void node_whoseLeaseIsOver_isReplacedAlthoughItsLockIsHeldAndIsFitAgainLater() throws Exception {
        var running = new CountDownLatch(1);
        var job = Job.named("job")
                .step(TaskletStep.of("wait", context -> {
                    running.countDown();
                    return context.stopToken().await(LONG) ? TaskletOutcome.STOPPED : TaskletOutcome.COMPLETED;
                }))
                .build();
        try (var proxy = CutProxy.start(EmbeddedDatabase.port());
                var repository =
                        PostgresRepository.open(settings.withControlUrl(EmbeddedDatabase.url(database, proxy.port()))
                                .withLease(Duration.ofMillis(200), Duration.ofSeconds(6)));
                var other = PostgresRepository.open(settings);
                var node = NodeRuntime.on(repository)
                        .settings(NodeSettings.DEFAULT.withPoll(Duration.ofMillis(100)))
                        .start()) {
            other.register(node());
            var run = ((LaunchResult.Launched) node.launcher().launch(job, JobParameters.NONE)).run();
            running.await();
            var execution = other.execution(run.executionId()).orElseThrow();
            proxy.goAway();

            Await.until(() -> !other.isOwnerAlive(execution));
            assertThat(repository.unfit()).isPresent();
            assertThat(run.await(LONG).orElseThrow())
                    .isInstanceOfSatisfying(
                            RunOutcome.GivenUp.class,
                            given -> assertThat(given.reason()).contains("did not renew its lease"));
            assertThatThrownBy(() -> node.launcher().launch(job, JobParameters.NONE))
                    .isInstanceOfSatisfying(
                            BatchException.class,
                            refusal -> assertThat(refusal.error()).isEqualTo(BatchError.REPOSITORY_UNAVAILABLE));
            long before = number("SELECT (extract(epoch FROM clock_timestamp()) * 1e6)::bigint");
            var failed = other.failDead(execution, new AuditEntry("recover", "me", "its lease is over"));
            assertThat(failed.epoch()).isEqualTo(execution.epoch() + 1);
            assertThat(number("""
                            SELECT count(*) FROM node_backend b JOIN pg_stat_activity a
                            ON a.pid = b.backend_pid AND a.backend_start = b.backend_start
                            WHERE b.node_id = '%s' AND b.backend_start < to_timestamp(%d / 1e6)
                            """.formatted(execution.ownerNode(), before))).isZero();

            proxy.comeBack();
            Await.until(() -> repository.unfit().isEmpty());
            assertThat(run(node, "another")).isEqualTo(BatchStatus.COMPLETED);
            assertThat(other.execution(run.executionId())).contains(failed);
        }
    }
}
