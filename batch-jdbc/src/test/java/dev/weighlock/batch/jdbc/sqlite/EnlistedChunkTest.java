package dev.weighlock.batch.jdbc.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;
import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.ExecutionContext;
import dev.weighlock.batch.JobParameters;
import dev.weighlock.batch.StepName;
import dev.weighlock.batch.chunk.ChunkContext;
import dev.weighlock.batch.chunk.Delivery;
import dev.weighlock.batch.chunk.ItemReader;
import dev.weighlock.batch.flow.ChunkStep;
import dev.weighlock.batch.flow.Job;
import dev.weighlock.batch.launch.LaunchResult;
import dev.weighlock.batch.launch.NodeRuntime;
import dev.weighlock.batch.repository.EnlistedWrite;
import dev.weighlock.batch.repository.JobRepository;
import dev.weighlock.batch.run.RunOutcome;
import dev.weighlock.batch.step.StepContext;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A chunk step whose rows go to the repository's own database and commit with its checkpoint. */
class EnlistedChunkTest {
    private static final int ITEMS = 20;

    @TempDir
    Path folder;

    /** Loses the next so many chunk commits: the rows are written, then the transaction is rolled back. */
    private final AtomicInteger toLose = new AtomicInteger();

    private JobRepository open() throws Exception {
        var file = folder.resolve("repository.db");
        var stored = SqliteRepository.open(file);
        try (var database = new SqliteDatabase(file, Clock.systemUTC(), Duration.ofSeconds(5));
                var connection = database.connect()) {
            SqliteDatabase.run(connection, "CREATE TABLE IF NOT EXISTS item (id INTEGER)");
        }
        return (JobRepository) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {JobRepository.class}, (proxy, method, arguments) -> {
                    boolean lose = method.getName().equals("commitChunk") && toLose.getAndDecrement() > 0;
                    if (lose) {
                        arguments[arguments.length - 1] = failing((EnlistedWrite) arguments[arguments.length - 1]);
                    }
                    try {
                        return method.invoke(stored, arguments);
                    } catch (InvocationTargetException e) {
                        throw lose
                                ? new BatchException(BatchError.REPOSITORY_UNAVAILABLE, "the disk is full")
                                : Objects.requireNonNull(e.getCause());
                    }
                });
    }

    private static EnlistedWrite failing(EnlistedWrite write) {
        return connection -> {
            write.write(connection);
            throw new SQLException("database or disk is full");
        };
    }

    private static Job job() {
        return Job.named("enlisted")
                .step(ChunkStep.<Long>copying("load", step -> new Numbers(), step -> (items, chunk) -> {
                            insert(items, chunk);
                            step.put("last", items.getLast());
                        })
                        .delivery(Delivery.sameResource())
                        .size(5)
                        .build())
                .build();
    }

    private static void insert(List<Long> items, ChunkContext chunk) throws SQLException {
        try (var insert = chunk.transaction(Connection.class).prepareStatement("INSERT INTO item VALUES (?)")) {
            for (var item : items) {
                insert.setLong(1, item);
                insert.executeUpdate();
            }
        }
    }

    private static final class Numbers implements ItemReader<Long> {
        private long read;

        @Override
        public void open(ExecutionContext context, StepContext step) {
            read = context.longValue("read", 0);
        }

        @Override
        public @Nullable Long read() {
            return read == ITEMS ? null : read++;
        }

        @Override
        public ExecutionContext update(ExecutionContext context) {
            return context.with("read", read);
        }
    }

    private static RunOutcome run(JobRepository repository) throws InterruptedException {
        try (var node = NodeRuntime.on(repository).start()) {
            var run = ((LaunchResult.Launched) node.launcher().launch(job(), JobParameters.NONE)).run();
            return run.await(Duration.ofMinutes(5)).orElseThrow();
        }
    }

    private long number(String sql) throws Exception {
        try (var database =
                new SqliteDatabase(folder.resolve("repository.db"), Clock.systemUTC(), Duration.ofSeconds(5))) {
            return database.read(session -> session.sql(sql).one(row -> row.number("n")));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3})
    void chunk_whoseRepositoryIsOutOfReachForAMoment_isWrittenAgainAndOnce(int lost) throws Exception {
        toLose.set(lost);
        try (var repository = open()) {
            assertThat(run(repository))
                    .isInstanceOfSatisfying(
                            RunOutcome.Ended.class,
                            ended -> assertThat(ended.execution().status()).isEqualTo(BatchStatus.COMPLETED));
            assertThat(repository.stepContext(1, new StepName("load")).longValue("last", -1))
                    .as("what the writer put while it wrote")
                    .isEqualTo(ITEMS - 1);
        }
        assertThat(number("SELECT count(*) AS n FROM item")).isEqualTo(ITEMS);
        assertThat(number("SELECT count(DISTINCT id) AS n FROM item")).isEqualTo(ITEMS);
        assertThat(number("SELECT rollback_count AS n FROM step_execution")).isEqualTo(lost);
    }

    @Test
    void chunk_whoseRepositoryStaysAway_letsTheRunGo() throws Exception {
        toLose.set(1000);
        try (var repository = open()) {
            assertThat(run(repository)).isInstanceOf(RunOutcome.GivenUp.class);
        }
        assertThat(number("SELECT count(*) AS n FROM item")).isZero();
    }
}
