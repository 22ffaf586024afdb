package dev.weighlock.batch.jdbc.partition;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.JobParameters;
import dev.weighlock.batch.PartitionStatus;
import dev.weighlock.batch.flow.Job;
import dev.weighlock.batch.flow.TaskletStep;
import dev.weighlock.batch.jdbc.postgres.PostgresRepository;
import dev.weighlock.batch.jdbc.postgres.PostgresSchema;
import dev.weighlock.batch.jdbc.postgres.PostgresSettings;
import dev.weighlock.batch.jdbc.sqlite.SqliteRepository;
import dev.weighlock.batch.launch.LaunchResult;
import dev.weighlock.batch.launch.NodeRuntime;
import dev.weighlock.batch.launch.NodeSettings;
import dev.weighlock.batch.operate.JobOperator;
import dev.weighlock.batch.partition.Partitioning;
import dev.weighlock.batch.repository.JobRepository;
import dev.weighlock.batch.repository.PartitionTotals;
import dev.weighlock.batch.run.RunOutcome;
import dev.weighlock.batch.tasklet.TaskletOutcome;
import dev.weighlock.batch.testkit.CutProxy;
import dev.weighlock.batch.testkit.EmbeddedDatabase;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A stop by another process while many short partitions run, each over long before the next poll: it is seen, by the push
 * alone or by the poll alone.
 */
@Timeout(600)
class ShortWorkersTest {
    /** The job is complete before a poll as rare as this comes. */
    private static final Duration NO_POLL = Duration.ofSeconds(60);

    private static final Duration POLL = Duration.ofMillis(100);
    private static final long BODY_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final int PARTITIONS = 5_000;

    @TempDir
    Path folder;

    private final CountDownLatch someDone = new CountDownLatch(20);

    @Test
    void sqlite_stop_isSeenByThePushAlone() throws Exception {
        Path file = folder.resolve("repository.db");
        try (var repository = SqliteRepository.open(file);
                var operator = SqliteRepository.open(file)) {
            assertStopSeen(repository, operator, NO_POLL);
        }
    }

    @Test
    void sqlite_stop_isSeenByThePollAlone() throws Exception {
        Path file = folder.resolve("repository.db");
        try (var repository = SqliteRepository.open(file);
                var operator = SqliteRepository.open(file)) {
            assertStopSeen(withoutPush(repository), operator, POLL);
        }
    }

    /** What the repository would tell is told to nobody. */
    private static JobRepository withoutPush(JobRepository repository) {
        return (JobRepository) Proxy.newProxyInstance(
                ShortWorkersTest.class.getClassLoader(),
                new Class<?>[] {JobRepository.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("onStopRequested")) {
                        return (AutoCloseable) () -> {};
                    }
                    try {
                        return method.invoke(repository, arguments);
                    } catch (InvocationTargetException e) {
                        throw Objects.requireNonNull(e.getCause());
                    }
                });
    }

    @Test
    void postgres_stop_isSeenByThePushAlone() throws Exception {
        var settings = migrated();
        try (var repository = PostgresRepository.open(settings);
                var operator = PostgresRepository.open(settings)) {
            assertStopSeen(repository, operator, NO_POLL);
        }
    }

    @Test
    void postgres_stopWithPushOff_isSeenByThePollAlone() throws Exception {
        var settings = migrated();
        var url = settings.server().url();
        try (var pooler = CutProxy.start(EmbeddedDatabase.port())) {
            pooler.deafen();
            var control = EmbeddedDatabase.url(url.substring(url.lastIndexOf('/') + 1), pooler.port());
            try (var repository = PostgresRepository.open(settings.withControlUrl(control));
                    var operator = PostgresRepository.open(settings)) {
                assertStopSeen(repository, operator, POLL);
                assertThat(repository.push().isOn()).isFalse();
            }
        }
    }

    private PostgresSettings migrated() throws Exception {
        var url = EmbeddedDatabase.url(EmbeddedDatabase.createDatabase(), EmbeddedDatabase.port());
        var settings = PostgresSettings.of(url, () -> Optional.of(EmbeddedDatabase.USER), () -> Optional.of("any"))
                .withLockFolder(folder);
        new PostgresSchema(settings).migrate();
        return settings;
    }

    private void assertStopSeen(JobRepository repository, JobRepository operator, Duration poll) throws Exception {
        try (var node = NodeRuntime.on(repository)
                .settings(NodeSettings.DEFAULT.withPoll(poll))
                .start()) {
            var run = ((LaunchResult.Launched) node.launcher().launch(job(), JobParameters.NONE)).run();
            someDone.await();

            new JobOperator(operator).stop(run.executionId(), "somebody@here");

            assertThat(run.await())
                    .isInstanceOfSatisfying(
                            RunOutcome.Ended.class, ended -> assertStopped(operator, ended.execution()));
        }
    }

    private static void assertStopped(JobRepository repository, JobExecution execution) {
        assertThat(execution.status()).isEqualTo(BatchStatus.STOPPED);
        PartitionTotals totals =
                repository.totals(repository.steps(execution.id()).getFirst());
        assertThat(totals.count(PartitionStatus.STOPPED)).isPositive();
        assertThat(totals.count(PartitionStatus.STOPPED) + totals.count(PartitionStatus.COMPLETED))
                .isEqualTo(PARTITIONS);
    }

    private Job job() {
        var keys = IntStream.range(0, PARTITIONS).mapToObj(i -> "k" + i).toList();
        return Job.named("short")
                .step(TaskletStep.named("p", context -> {
                            LockSupport.parkNanos(BODY_NANOS);
                            someDone.countDown();
                            return TaskletOutcome.COMPLETED;
                        })
                        .partitioned(Partitioning.keys(keys).withWorkers(2))
                        .build())
                .build();
    }
}
