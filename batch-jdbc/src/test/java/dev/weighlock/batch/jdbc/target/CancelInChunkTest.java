package dev.weighlock.batch.jdbc.target;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.JobParameters;
import dev.weighlock.batch.StopTiming;
import dev.weighlock.batch.chunk.InFlight;
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
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A stop cancels the statement that a chunk's writer waits for, where the chunk is rolled back: nothing has failed. */
class CancelInChunkTest {
    private static final int ITEMS = 9;
    private static final String WAITING =
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'";
    private static final String SLEEPING =
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'";

    @Test
    void statementCancelledByAStop_rollsTheChunkBackAndTheStepIsStopped() throws Exception {
        try (var database = database();
                var tester = new JobTester()) {
            execute(database, "CREATE TABLE item (id BIGINT NOT NULL)");
            var job = job(database);
            var run = tester.start(job, JobParameters.NONE);
            await(database, SLEEPING);

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

    /** The writer's own statement waits in a trigger, for a lock that this test holds. */
    @ParameterizedTest
    @EnumSource(
            value = WriteMode.class,
            names = {"INSERT", "COPY"})
    void writersStatement_asleepInTheDatabase_isCancelledWhereTheChunkIsRolledBack(WriteMode mode) throws Exception {
        try (var database = database();
                var tester = new JobTester();
                var lock = database.connect()) {
            blockRowsFrom(4, database, lock);
            var run = tester.start(writing(database, mode, InFlight.ROLLBACK_CHUNK), JobParameters.NONE);
            await(database, WAITING);

            run.stop();
            var stopped = JobTester.ended(run);

            assertThat(stopped.status()).isEqualTo(BatchStatus.STOPPED);
            assertThat(tester.step(stopped, "load").stopTiming()).contains(StopTiming.DURING_EXECUTION);
            assertThat(number(database, "SELECT count(*) FROM item")).isEqualTo(3);
            assertThat(number(database, WAITING)).isZero();
        }
    }

    @Test
    void writersStatement_asleepInTheDatabase_endsByItselfWhereTheChunkIsFinished() throws Exception {
        try (var database = database();
                var tester = new JobTester();
                var lock = database.connect()) {
            blockRowsFrom(4, database, lock);
            var run = tester.start(writing(database, WriteMode.INSERT, InFlight.FINISH_CHUNK), JobParameters.NONE);
            await(database, WAITING);

            run.stop();
            while (run.execution().stop().seenAt().isEmpty()) {
                Thread.onSpinWait();
            }
            assertThat(number(database, WAITING)).isEqualTo(1);
            lock.rollback();
            var stopped = JobTester.ended(run);

            assertThat(stopped.status()).isEqualTo(BatchStatus.STOPPED);
            assertThat(number(database, "SELECT count(*) FROM item")).isEqualTo(6);
        }
    }

    private static Database database() throws Exception {
        return Database.open(new DatabaseSettings(
                "dw",
                EmbeddedDatabase.url(EmbeddedDatabase.createDatabase()),
                () -> Optional.of(EmbeddedDatabase.USER),
                () -> Optional.of("any"),
                Optional.empty(),
                true));
    }

    private static void blockRowsFrom(int id, Database database, Connection lock) throws SQLException {
        execute(database, "CREATE TABLE item (id BIGINT NOT NULL)");
        execute(database, """
                CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN
                    IF NEW.id >= %d THEN PERFORM pg_advisory_xact_lock_shared(7); END IF;
                    RETURN NEW;
                END $$""".formatted(id));
        execute(database, "CREATE TRIGGER hold BEFORE INSERT ON item FOR EACH ROW EXECUTE FUNCTION hold()");
        lock.setAutoCommit(false);
        try (var statement = lock.createStatement()) {
            statement.execute("SELECT pg_advisory_xact_lock(7)");
        }
    }

    /** Only what has reached the server can be cancelled there. */
    private static void await(Database database, String counted) throws Exception {
        for (int looked = 0; number(database, counted) == 0; looked++) {
            assertThat(looked).as("looks at the server's statements").isLessThan(6_000);
            Thread.sleep(10);
        }
    }

    private static Job writing(Database database, WriteMode mode, InFlight inFlight) {
        var step = ChunkStep.<Long>copying(
                        "load",
                        context -> {
                            var left = LongStream.rangeClosed(1, ITEMS).iterator();
                            return () -> left.hasNext() ? left.next() : null;
                        },
                        context ->
                                new JdbcWriter<Long>(new RowLayout("item", List.of("id"), mode, List.of()), List::of))
                .delivery(database.delivery())
                .size(3)
                .inFlight(inFlight)
                .build();
        return Job.named("write").step(step).build();
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
