package dev.weighlock.batch.jdbc.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.ExecutionContext;
import dev.weighlock.batch.FailureCategory;
import dev.weighlock.batch.JobParameters;
import dev.weighlock.batch.chunk.ChunkContext;
import dev.weighlock.batch.chunk.Delivery;
import dev.weighlock.batch.chunk.ItemReader;
import dev.weighlock.batch.flow.ChunkStep;
import dev.weighlock.batch.flow.Job;
import dev.weighlock.batch.launch.LaunchResult;
import dev.weighlock.batch.launch.NodeRuntime;
import dev.weighlock.batch.launch.NodeSettings;
import dev.weighlock.batch.repository.JobRepository;
import dev.weighlock.batch.run.RunOutcome;
import dev.weighlock.batch.run.RunningJob;
import dev.weighlock.batch.step.StepContext;
import dev.weighlock.batch.testing.Await;
import dev.weighlock.batch.testkit.CutProxy;
import dev.weighlock.batch.testkit.EmbeddedDatabase;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A database that is gone for 20 s in the middle of two runs: one whose lease outlives that, one whose lease does not. */
class DatabaseAwayTest {
    private static final Duration AWAY = Duration.ofSeconds(20);
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final int ITEMS = 40;

    @TempDir
    Path folder;

    private final CountDownLatch underWay = new CountDownLatch(2);
    private final CountDownLatch gone = new CountDownLatch(1);

    private Job job(String name) {
        return Job.named(name)
                .step(ChunkStep.<Long>copying(
                                "load", Gated::new, context -> (items, chunk) -> insert(name, items, chunk))
                        .size(5)
                        .delivery(Delivery.sameResource())
                        .build())
                .build();
    }

    /** Reads the sixth chunk, in the first attempt, when the database is gone. */
    private final class Gated implements ItemReader<Long> {
        private final boolean first;
        private long read;

        Gated(StepContext context) {
            first = context.jobAttempt() == 1;
        }

        @Override
        public void open(ExecutionContext context, StepContext step) {
            read = context.longValue("read", 0);
        }

        @Override
        public @Nullable Long read() throws InterruptedException {
            if (first && read == 25) {
                underWay.countDown();
                gone.await();
            }
            return read == ITEMS ? null : read++;
        }

        @Override
        public ExecutionContext update(ExecutionContext context) {
            return context.with("read", read);
        }
    }

    private static void insert(String table, List<Long> items, ChunkContext chunk) throws SQLException {
        try (var insert =
                chunk.transaction(Connection.class).prepareStatement("INSERT INTO " + table + " VALUES (?)")) {
            for (var item : items) {
                insert.setLong(1, item);
                insert.executeUpdate();
            }
        }
    }

    @Test
    void database_goneForTwentySeconds_runsSurviveOrEndHonestly() throws Exception {
        var direct = CrashPlace.Postgres.create(folder.resolve("locks"));
        var rows = new ItemTable(direct.url());
        rows.run("CREATE TABLE patient (id BIGINT NOT NULL)");
        rows.run("CREATE TABLE hasty (id BIGINT NOT NULL)");
        try (var proxy = CutProxy.start(EmbeddedDatabase.port())) {
            var database = direct.url().substring(direct.url().lastIndexOf('/') + 1);
            var place = direct.withUrl(EmbeddedDatabase.url(database, proxy.port()));
            try (var patient = place.withLease(Duration.ofSeconds(5), Duration.ofMinutes(2))
                            .open();
                    var hasty = place.withLease(Duration.ofSeconds(1), Duration.ofSeconds(12))
                            .open();
                    var patientNode = node(patient);
                    var hastyNode = node(hasty)) {
                var surviving = launched(patientNode, "patient");
                var lost = launched(hastyNode, "hasty");
                underWay.await();
                proxy.goAway();
                gone.countDown();
                beAway();
                proxy.comeBack();

                assertThat(surviving.await(LONG).orElseThrow())
                        .isInstanceOfSatisfying(
                                RunOutcome.Ended.class,
                                ended -> assertThat(ended.execution().status()).isEqualTo(BatchStatus.COMPLETED));
                assertThat(lost.await(LONG).orElseThrow()).isInstanceOf(RunOutcome.GivenUp.class);
                Await.until(() -> !hasty.execution(lost.executionId())
                        .orElseThrow()
                        .status()
                        .isActive());
                var failed = hasty.execution(lost.executionId()).orElseThrow();
                assertThat(failed.status()).isEqualTo(BatchStatus.FAILED);
                assertThat(failed.failure().orElseThrow().category()).isEqualTo(FailureCategory.OWNER_LOST);
                var counts = hasty.steps(failed.id()).getFirst().counts();
                assertThat(rows.number("SELECT count(*) FROM hasty")).isEqualTo(counts.written());
                Await.until(() -> hasty.unfit().isEmpty());
                assertThat(launched(hastyNode, "hasty").await(LONG).orElseThrow())
                        .isInstanceOf(RunOutcome.Ended.class);
            }
        }
        for (var table : List.of("patient", "hasty")) {
            rows.assertEachOnce(table, ITEMS);
        }
    }

    private static NodeRuntime node(JobRepository repository) {
        return NodeRuntime.on(repository)
                .settings(NodeSettings.DEFAULT.withPoll(Duration.ofMillis(200)))
                .start();
    }

    private RunningJob launched(NodeRuntime node, String name) {
        return ((LaunchResult.Launched) node.launcher().launch(job(name), JobParameters.NONE)).run();
    }

    private static void beAway() {
        long until = System.nanoTime() + AWAY.toNanos();
        while (System.nanoTime() < until) {
            LockSupport.parkNanos(until - System.nanoTime());
        }
    }
}
