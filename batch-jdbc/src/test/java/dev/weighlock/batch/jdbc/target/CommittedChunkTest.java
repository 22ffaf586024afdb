package dev.weighlock.batch.jdbc.target;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.ExecutionContext;
import dev.weighlock.batch.JobParameters;
import dev.weighlock.batch.StepCounts;
import dev.weighlock.batch.StepExecution;
import dev.weighlock.batch.chunk.Backoff;
import dev.weighlock.batch.chunk.ChunkContext;
import dev.weighlock.batch.chunk.ChunkListener;
import dev.weighlock.batch.chunk.Delivery;
import dev.weighlock.batch.chunk.ItemReader;
import dev.weighlock.batch.chunk.ItemWriter;
import dev.weighlock.batch.chunk.RetryPolicy;
import dev.weighlock.batch.flow.ChunkStep;
import dev.weighlock.batch.flow.Job;
import dev.weighlock.batch.jdbc.sqlite.SqliteRepository;
import dev.weighlock.batch.launch.LaunchResult;
import dev.weighlock.batch.launch.NodeRuntime;
import dev.weighlock.batch.run.RunOutcome;
import dev.weighlock.batch.step.StepContext;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A writer that fails after its chunk was committed: the step fails, and the chunk is neither undone nor repeated. */
class CommittedChunkTest {
    private static final int ITEMS = 20;
    private static final int SIZE = 5;

    @TempDir
    Path folder;

    private final AtomicBoolean broken = new AtomicBoolean(true);
    private final List<Long> committedAsHeard = new ArrayList<>();

    @ParameterizedTest
    @ValueSource(ints = {0, 2})
    void sameResource_writerFailsAfterTheCommit_chunkStaysAndIsWrittenOnce(int retries) throws Exception {
        try (var database = Database.open(DatabaseSettings.sqlite("repository", file("repository"), true))) {
            assertFailsOnceAndWritesOnce(database, Delivery.sameResource(), retries);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2})
    void target_writerFailsAfterTheCommit_chunkStaysAndIsWrittenOnce(int retries) throws Exception {
        try (var database = Database.open(DatabaseSettings.sqlite("shop", file("shop"), true))) {
            assertFailsOnceAndWritesOnce(database, database.delivery(), retries);
        }
    }

    private Path file(String name) {
        return folder.resolve(name + ".db");
    }

    private void assertFailsOnceAndWritesOnce(Database database, Delivery delivery, int retries) throws Exception {
        try (var repository = SqliteRepository.open(file("repository"));
                var node = NodeRuntime.on(repository).start()) {
            create(database);
            var job = job(delivery, retries);

            var failed = run(node, repository, job);
            assertThat(failed.status()).isEqualTo(BatchStatus.FAILED);
            assertThat(failed.counts()).isEqualTo(new StepCounts(5, 5, 5, 0, 0, 0, 0, 1, 0));
            assertThat(failed.diagnostics().orElseThrow()).contains("after the commit");
            assertThat(rows(database)).containsExactly(1L, 2L, 3L, 4L, 5L);

            var completed = run(node, repository, job);
            assertThat(completed.status()).isEqualTo(BatchStatus.COMPLETED);
            assertThat(completed.counts()).isEqualTo(new StepCounts(15, 15, 15, 0, 0, 0, 0, 3, 0));
            assertThat(rows(database)).hasSize(ITEMS).doesNotHaveDuplicates();
            assertThat(committedAsHeard).containsExactly(5L, 5L, 10L, 15L);
        }
    }

    private static StepExecution run(NodeRuntime node, SqliteRepository repository, Job job) throws Exception {
        var run = ((LaunchResult.Launched) node.launcher().launch(job, JobParameters.NONE)).run();
        assertThat(run.await(Duration.ofMinutes(5))).containsInstanceOf(RunOutcome.Ended.class);
        return repository.steps(run.execution().id()).getFirst();
    }

    private Job job(Delivery delivery, int retries) {
        var step = ChunkStep.<Long>copying("load", context -> new Numbers(), context -> new Inserts(broken))
                .delivery(delivery)
                .retry(RetryPolicy.of(retries, Backoff.NONE))
                .size(SIZE)
                .chunkListener(new ChunkListener() {
                    @Override
                    public void afterChunk(StepContext context, StepCounts attempt) {
                        committedAsHeard.add(attempt.written());
                    }
                })
                .build();
        return Job.named("committed").step(step).build();
    }

    private static void create(Database database) throws SQLException {
        try (var connection = database.connect();
                var statement = connection.createStatement()) {
            statement.executeUpdate("CREATE TABLE item (id INTEGER)");
        }
    }

    private static List<Long> rows(Database database) throws SQLException {
        var ids = new ArrayList<Long>();
        try (var connection = database.connect();
                var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT id FROM item ORDER BY id")) {
            while (rows.next()) {
                ids.add(rows.getLong(1));
            }
        }
        return ids;
    }

    private static final class Numbers implements ItemReader<Long> {
        private long read;

        @Override
        public void open(ExecutionContext context, StepContext step) {
            read = context.longValue("read", 0);
        }

        @Override
        public @Nullable Long read() {
            return read == ITEMS ? null : ++read;
        }

        @Override
        public ExecutionContext update(ExecutionContext context) {
            return context.with("read", read);
        }
    }

    /** Fails the first time that it hears of a commit. */
    private record Inserts(AtomicBoolean broken) implements ItemWriter<Long> {
        @Override
        public void write(List<Long> items, ChunkContext chunk) throws SQLException {
            try (var insert = chunk.transaction(Connection.class).prepareStatement("INSERT INTO item VALUES (?)")) {
                for (var item : items) {
                    insert.setLong(1, item);
                    insert.executeUpdate();
                }
            }
        }

        @Override
        public void committed() {
            if (broken.getAndSet(false)) {
                throw new IllegalStateException("after the commit");
            }
        }
    }
}
