package dev.weighlock.batch.jdbc.target;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.JobParameters;
import dev.weighlock.batch.StopTiming;
import dev.weighlock.batch.chunk.ItemWriter;
import dev.weighlock.batch.flow.ChunkStep;
import dev.weighlock.batch.flow.Job;
import dev.weighlock.batch.step.StepContext;
import dev.weighlock.batch.stop.StopToken;
import dev.weighlock.batch.testkit.EmbeddedDatabase;
import dev.weighlock.batch.testkit.JobTester;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** A stop cancels the statement that a chunk's writer waits for: the chunk is rolled back, and nothing has failed. */
class CancelInChunkTest {
    private static final int ITEMS = 9;

    private final CountDownLatch sleeping = new CountDownLatch(1);

    @Test
    void statementCancelledByAStop_rollsTheChunkBackAndTheStepIsStopped() throws Exception {
        var url = EmbeddedDatabase.url(EmbeddedDatabase.createDatabase());
        var settings = new DatabaseSettings(
                "dw", url, () -> Optional.of(EmbeddedDatabase.USER), () -> Optional.of("any"), Optional.empty(), true);
        try (var database = Database.open(settings);
                var tester = new JobTester()) {
            execute(database, "CREATE TABLE item (id BIGINT NOT NULL)");
            var job = job(database);
            var run = tester.start(job, JobParameters.NONE);
            assertThat(sleeping.await(60, TimeUnit.SECONDS)).isTrue();

            run.stop();
            var stopped = JobTester.ended(run);

            assertThat(stopped.status()).isEqualTo(BatchStatus.STOPPED);
            assertThat(tester.step(stopped, "load").stopTiming()).contains(StopTiming.DURING_EXECUTION);
            assertThat(number(database, "SELECT count(*) FROM item")).isEqualTo(3);
            assertThat(number(
                            database,
                            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                                    + " AND state LIKE 'idle in transaction%'"))
                    .isZero();
            assertThat(tester.run(job).status()).isEqualTo(BatchStatus.COMPLETED);
            assertThat(number(database, "SELECT count(DISTINCT id) FROM item")).isEqualTo(ITEMS);
            assertThat(number(database, "SELECT count(*) FROM item")).isEqualTo(ITEMS);
        }
    }

    private Job job(Database database) {
        var step = ChunkStep.<Long>copying(
                        "load",
                        context -> {
                            long done = number(database, "SELECT count(*) FROM item");
                            var left = LongStream.rangeClosed(done + 1, ITEMS).iterator();
                            return () -> left.hasNext() ? left.next() : null;
                        },
                        this::writer)
                .delivery(database.delivery())
                .size(3)
                .build();
        return Job.named("load").step(step).build();
    }

    /** Its second chunk sleeps for ever, the first time. */
    private ItemWriter<Long> writer(StepContext context) {
        var rows = new JdbcWriter<Long>(new RowLayout("item", List.of("id"), WriteMode.INSERT, List.of()), List::of);
        return (items, chunk) -> {
            rows.write(items, chunk);
            if (chunk.sequence() == 2 && context.jobAttempt() == 1) {
                sleep(chunk.transaction(Connection.class), context.stopToken());
            }
        };
    }

    private void sleep(Connection connection, StopToken stop) throws SQLException {
        try (var statement = connection.createStatement();
                var _ = stop.onStop(() -> cancel(statement))) {
            sleeping.countDown();
            statement.execute("SELECT pg_sleep(600)");
        }
    }

    private static void cancel(java.sql.Statement statement) {
        try {
            statement.cancel();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void execute(Database database, String sql) throws SQLException {
        try (var connection = database.connect();
                var statement = connection.createStatement()) {
            statement.executeUpdate(sql);
        }
    }

    private static long number(Database database, String sql) throws SQLException {
        try (var connection = database.connect();
                var statement = connection.createStatement();
                var row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }
}
