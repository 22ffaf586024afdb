package dev.weighlock.batch.jdbc.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.FailureCategory;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.JobName;
import dev.weighlock.batch.JobParameters;
import dev.weighlock.batch.jdbc.sqlite.SqliteRepository;
import dev.weighlock.batch.operate.Instruction;
import dev.weighlock.batch.operate.JobOperator;
import dev.weighlock.batch.repository.JobRepository;
import dev.weighlock.batch.repository.QueuedLaunch;
import dev.weighlock.batch.testkit.ChildJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Limit 1, five starts from two processes: one runs, the rest wait in the order in which they came. The running one's
 * process is killed, and with it a waiting one's; another waiting one is cancelled from a third process; the slot is freed.
 */
class QueuedStartsTest {
    private static final Duration LONG = Duration.ofMinutes(3);

    @TempDir
    Path folder;

    @Test
    void fiveStarts_ofTwoProcessesOnPostgres_runOneAfterTheOther() throws Exception {
        fiveStarts(CrashPlace.Postgres.create(folder.resolve("locks")));
    }

    @Test
    void fiveStarts_ofTwoProcessesOnSqlite_runOneAfterTheOther() throws Exception {
        var file = folder.resolve("repository.db");
        SqliteRepository.open(file).close();
        fiveStarts(new CrashPlace.Sqlite(file));
    }

    private void fiveStarts(CrashPlace place) throws Exception {
        try (var repository = place.open();
                var dying = start(place, "dying", 1, 5)) {
            awaitQueued(repository, dying, 5);
            try (var living = start(place, "living", 2, 3, 4)) {
                awaitQueued(repository, living, 5, 2, 3, 4);
                var first = only(active(repository));
                assertThat(first.parameters()).isEqualTo(QueuedJob.number(1));
                var third = queued(repository).get(2);

                new JobOperator(repository).cancelLaunch(third.id(), new Instruction("eve", "not today"));
                dying.kill();

                var second = awaitRunning(repository, living, 2);
                assertThat(repository.execution(first.id()).orElseThrow().failure())
                        .hasValueSatisfying(
                                failure -> assertThat(failure.category()).isEqualTo(FailureCategory.OWNER_LOST));
                awaitQueued(repository, living, 4);
                open(2);
                var fourth = awaitRunning(repository, living, 4);
                assertThat(repository.execution(second.id()).orElseThrow().status())
                        .isEqualTo(BatchStatus.COMPLETED);
                open(4);

                assertThat(living.awaitExit()).as(living.output()).isZero();
                assertThat(living.output()).contains("2 COMPLETED", "3 Withdrawn", "4 COMPLETED");
                assertThat(repository.execution(fourth.id()).orElseThrow().status())
                        .isEqualTo(BatchStatus.COMPLETED);
            }
            assertThat(active(repository)).isEmpty();
            assertThat(queued(repository)).isEmpty();
            assertThat(executions(repository))
                    .as("nothing ran for what waited in vain")
                    .hasSize(3);
        }
    }

    private ChildJvm start(CrashPlace place, String name, long... numbers) {
        var arguments = new ArrayList<>(List.of(place.word(), folder.toString()));
        Arrays.stream(numbers).mapToObj(Long::toString).forEach(arguments::add);
        return ChildJvm.start(QueuedJob.class, folder.resolve(name), arguments);
    }

    private void open(long number) throws Exception {
        Files.createFile(folder.resolve(Long.toString(number)));
    }

    private static List<JobExecution> executions(JobRepository repository) {
        return repository
                .executions(Optional.of(new JobName(QueuedJob.NAME)), Optional.empty(), 10)
                .items();
    }

    /** Never more than one, whenever somebody looks. */
    private static List<JobExecution> active(JobRepository repository) {
        var active = executions(repository).stream()
                .filter(execution -> execution.status().isActive())
                .toList();
        assertThat(active).hasSizeLessThan(2);
        return active;
    }

    private static <T> T only(List<T> list) {
        assertThat(list).hasSize(1);
        return list.getFirst();
    }

    private static List<QueuedLaunch> queued(JobRepository repository) {
        return repository.queuedLaunches(Optional.of(new JobName(QueuedJob.NAME)), 10);
    }

    /** Until these wait, in this order. */
    private static void awaitQueued(JobRepository repository, ChildJvm child, long... numbers) {
        List<JobParameters> expected =
                Arrays.stream(numbers).mapToObj(QueuedJob::number).toList();
        await(child, () -> {
            active(repository);
            return queued(repository).stream()
                            .map(QueuedLaunch::parameters)
                            .toList()
                            .equals(expected)
                    ? Optional.of(true)
                    : Optional.empty();
        });
    }

    private static JobExecution awaitRunning(JobRepository repository, ChildJvm child, long number) {
        return await(
                child,
                () -> active(repository).stream()
                        .filter(execution -> execution.parameters().equals(QueuedJob.number(number)))
                        .findFirst());
    }

    /** What is waited for, once it is there. */
    @FunctionalInterface
    private interface Look<T> {
        Optional<T> look();
    }

    private static <T> T await(ChildJvm child, Look<T> look) {
        long deadline = System.nanoTime() + LONG.toNanos();
        for (var found = look.look(); ; found = look.look()) {
            if (found.isPresent()) {
                return found.get();
            }
            assertThat(System.nanoTime())
                    .as("patience; the child said %s", child.output())
                    .isLessThan(deadline);
            LockSupport.parkNanos(10_000_000);
        }
    }
}
