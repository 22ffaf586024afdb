package dev.weighlock.batch.jdbc.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;
import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.ExecutionContext;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.JobParameters;
import dev.weighlock.batch.chunk.Delivery;
import dev.weighlock.batch.chunk.ItemReader;
import dev.weighlock.batch.chunk.ItemWriter;
import dev.weighlock.batch.flow.ChunkStep;
import dev.weighlock.batch.flow.Job;
import dev.weighlock.batch.jdbc.postgres.PostgresSchema;
import dev.weighlock.batch.jdbc.target.Database;
import dev.weighlock.batch.launch.LaunchResult;
import dev.weighlock.batch.launch.NodeRuntime;
import dev.weighlock.batch.launch.NodeSettings;
import dev.weighlock.batch.repository.JobRepository;
import dev.weighlock.batch.run.RunningJob;
import dev.weighlock.batch.step.StepContext;
import dev.weighlock.batch.testkit.EmbeddedServer;
import dev.weighlock.batch.testkit.EmbeddedServer.Stop;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The server itself is stopped and started again in the middle of a run, in order or as by a crash, with repository and
 * target on it: the run goes on or says truly how it ended, and in the end each row is there once.
 */
class ServerRestartTest {
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final Duration AWAY = Duration.ofSeconds(20);
    private static final int ITEMS = 40;
    private static final int CHUNK = 5;
    private static final long HELD_AT = 25;

    /** Where the first attempt stands when the server goes. */
    enum Moment {
        BETWEEN_CHUNKS,
        IN_TRANSACTION
    }

    private static EmbeddedServer server;

    @TempDir
    Path folder;

    private CrashPlace.Postgres place;
    private ItemTable own;
    private ItemTable other;

    @BeforeAll
    static void start() {
        server = EmbeddedServer.start();
    }

    private void prepare() throws Exception {
        place = new CrashPlace.Postgres(
                server.url(server.createDatabase()),
                folder.resolve("locks"),
                Duration.ofSeconds(5),
                Duration.ofMinutes(2));
        new PostgresSchema(place.settings()).migrate();
        own = ItemTable.create(place.url());
        other = ItemTable.create(server.url(server.createDatabase()));
    }

    /** One job on its way; its first attempt stands still in the middle until it is let go on. */
    private final class Held {
        private final String name;
        private final Moment moment;
        private final Delivery delivery;
        private final CountDownLatch standing = new CountDownLatch(1);
        private final CountDownLatch goOn = new CountDownLatch(1);

        Held(String name, Moment moment, Delivery delivery) {
            this.name = name;
            this.moment = moment;
            this.delivery = delivery;
        }

        Job job() {
            return Job.named(name)
                    .step(ChunkStep.<Long>copying("load", Numbers::new, this::writer)
                            .size(CHUNK)
                            .delivery(delivery)
                            .build())
                    .build();
        }

        private ItemWriter<Long> writer(StepContext step) {
            return (items, chunk) -> {
                try (var insert =
                        chunk.transaction(Connection.class).prepareStatement("INSERT INTO public.item VALUES (?)")) {
                    for (var item : items) {
                        insert.setLong(1, item);
                        insert.executeUpdate();
                    }
                }
                if (moment == Moment.IN_TRANSACTION && step.jobAttempt() == 1 && items.contains(HELD_AT)) {
                    stand();
                }
            };
        }

        private void stand() throws InterruptedException {
            standing.countDown();
            goOn.await();
        }

        private final class Numbers implements ItemReader<Long> {
            private final boolean first;
            private long read;

            Numbers(StepContext context) {
                first = context.jobAttempt() == 1;
            }

            @Override
            public void open(ExecutionContext context, StepContext step) {
                read = context.longValue("read", 0);
            }

            @Override
            public @Nullable Long read() throws InterruptedException {
                if (moment == Moment.BETWEEN_CHUNKS && first && read == HELD_AT) {
                    stand();
                }
                return read == ITEMS ? null : read++;
            }

            @Override
            public ExecutionContext update(ExecutionContext context) {
                return context.with("read", read);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"FAST, BETWEEN_CHUNKS", "FAST, IN_TRANSACTION", "IMMEDIATE, BETWEEN_CHUNKS", "IMMEDIATE, IN_TRANSACTION"
    })
    void serverRestarted_inMidRun_rowsAreWrittenOnce(Stop how, Moment moment) throws Exception {
        prepare();
        rideOut(moment, () -> {
            server.stop(how);
            server.startAgain();
        });
    }

    /** The runs go on while it is away. */
    @Test
    void serverStopped_forTwentySeconds_rowsAreWrittenOnce() throws Exception {
        prepare();
        var back = new ArrayList<Future<?>>();
        try (var later = Executors.newSingleThreadExecutor()) {
            rideOut(Moment.IN_TRANSACTION, () -> {
                server.stop(Stop.FAST);
                back.add(later.submit(ServerRestartTest::startAfterAWhile));
            });
            back.getFirst().get();
        }
    }

    private static void startAfterAWhile() {
        long until = System.nanoTime() + AWAY.toNanos();
        while (System.nanoTime() < until) {
            LockSupport.parkNanos(until - System.nanoTime());
        }
        server.startAgain();
    }

    private void rideOut(Moment moment, Runnable trouble) throws Exception {
        try (var target = Database.open(NumbersJob.settings(other.url()));
                var repository = place.open();
                var node = NodeRuntime.on(repository)
                        .settings(NodeSettings.DEFAULT.withPoll(Duration.ofMillis(200)))
                        .start()) {
            var enlisted = new Held("enlisted", moment, Delivery.sameResource());
            var targeted = new Held("targeted", moment, target.delivery());
            var first = List.of(launched(node, enlisted), launched(node, targeted));
            enlisted.standing.await();
            targeted.standing.await();

            trouble.run();

            enlisted.goOn.countDown();
            targeted.goOn.countDown();
            finish(node, repository, enlisted, first.get(0), own);
            finish(node, repository, targeted, first.get(1), other);
        }
        for (var items : List.of(own, other)) {
            assertThat(items.number("SELECT count(*) FROM item")).isEqualTo(ITEMS);
            assertThat(items.number("SELECT count(DISTINCT id) FROM item")).isEqualTo(ITEMS);
        }
        assertThat(other.number("SELECT sum(write_count) FROM weighlock_checkpoint"))
                .isEqualTo(ITEMS);
    }

    private static RunningJob launched(NodeRuntime node, Held held) {
        var result = node.launcher().launch(held.job(), JobParameters.NONE);
        assertThat(result).isInstanceOf(LaunchResult.Launched.class);
        return ((LaunchResult.Launched) result).run();
    }

    /** The first attempt ends by itself; what it says of its rows is true. A second one completes what it left. */
    private static void finish(NodeRuntime node, JobRepository repository, Held held, RunningJob first, ItemTable items)
            throws Exception {
        assertThat(first.await(LONG)).as("the end of %s", held.name).isPresent();
        var ended = over(repository, first);
        assertThat(ended.status()).isIn(BatchStatus.COMPLETED, BatchStatus.FAILED);
        var attempts = new ArrayList<>(List.of(ended));
        if (ended.status() == BatchStatus.FAILED) {
            assertThat(items.number("SELECT count(*) FROM item")).isEqualTo(written(repository, attempts));
            var again = launched(node, held);
            assertThat(again.await(LONG)).isPresent();
            var second = over(repository, again);
            assertThat(second.status()).as("%s", second.diagnostics()).isEqualTo(BatchStatus.COMPLETED);
            attempts.add(second);
        }
        assertThat(written(repository, attempts)).isEqualTo(ITEMS);
    }

    /** By the record, where a run that was given up becomes FAILED a little later. */
    private static JobExecution over(JobRepository repository, RunningJob run) {
        long deadline = System.nanoTime() + LONG.toNanos();
        while (true) {
            var stored = stored(repository, run);
            if (stored.isPresent() && !stored.get().status().isActive()) {
                return stored.get();
            }
            assertThat(System.nanoTime()).isLessThan(deadline);
            LockSupport.parkNanos(10_000_000);
        }
    }

    private static Optional<JobExecution> stored(JobRepository repository, RunningJob run) {
        try {
            return repository.execution(run.executionId());
        } catch (BatchException e) {
            // The server is not back yet.
            assertThat(e.error()).isEqualTo(BatchError.REPOSITORY_UNAVAILABLE);
            return Optional.empty();
        }
    }

    private static long written(JobRepository repository, List<JobExecution> attempts) {
        return attempts.stream()
                .flatMap(attempt -> repository.steps(attempt.id()).stream())
                .mapToLong(step -> step.counts().written())
                .sum();
    }
}
