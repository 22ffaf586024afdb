package dev.weighlock.batch.jdbc.operate;

import static dev.weighlock.batch.jdbc.operate.QueuedJob.LONG;
import static dev.weighlock.batch.jdbc.operate.QueuedJob.number;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.FailureCategory;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.jdbc.sqlite.SqliteRepository;
import dev.weighlock.batch.launch.LaunchResult;
import dev.weighlock.batch.launch.NodeRuntime;
import dev.weighlock.batch.launch.WaitingLaunch;
import dev.weighlock.batch.operate.Instruction;
import dev.weighlock.batch.operate.JobOperator;
import dev.weighlock.batch.run.RunOutcome;
import dev.weighlock.batch.run.RunningJob;
import dev.weighlock.batch.testkit.ChildJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Limit 1, five starts from two processes: one runs, the rest wait in order, and its death frees the slot. */
class QueuedStartsTest {
    @TempDir
    Path folder;

    private WaitingLaunch queue(NodeRuntime node, long number) {
        var result = node.launcher().launch(QueuedJob.job(folder), number(number));
        assertThat(result).isInstanceOf(LaunchResult.Queued.class);
        return ((LaunchResult.Queued) result).waiting();
    }

    private static RunningJob launched(WaitingLaunch waiting) throws InterruptedException {
        var result = waiting.await(LONG).orElseThrow();
        assertThat(result).isInstanceOf(LaunchResult.Launched.class);
        return ((LaunchResult.Launched) result).run();
    }

    private void finish(RunningJob run, long number) throws Exception {
        Files.createFile(folder.resolve("" + number));
        assertThat(run.await(LONG).orElseThrow())
                .isInstanceOfSatisfying(
                        RunOutcome.Ended.class,
                        ended -> assertThat(ended.execution().status()).isEqualTo(BatchStatus.COMPLETED));
    }

    private static void awaitQueued(SqliteRepository repository, ChildJvm child) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (repository.queuedLaunches(Optional.empty(), 10).isEmpty()) {
            assertThat(System.nanoTime())
                    .as("patience; the child said %s", child.output())
                    .isLessThan(end);
            LockSupport.parkNanos(10_000_000);
        }
    }

    private static List<JobExecution> active(SqliteRepository repository) {
        return repository.executions(Optional.empty(), Optional.empty(), 10).items().stream()
                .filter(execution -> execution.status().isActive())
                .toList();
    }

    @Test
    void fiveStarts_ofTwoProcesses_runOneAfterTheOther() throws Exception {
        var file = folder.resolve("repository.db");
        try (var child = ChildJvm.start(
                        QueuedJob.class, folder.resolve("child"), List.of(file.toString(), folder.toString()));
                var repository = SqliteRepository.open(file);
                var node = QueuedJob.node(repository)) {
            awaitQueued(repository, child);
            var killed = active(repository).getFirst();
            var two = queue(node, 2);
            var three = queue(node, 3);
            var four = queue(node, 4);
            assertThat(List.of(two.place(), three.place(), four.place())).containsExactly(2, 3, 4);

            new JobOperator(repository).cancelLaunch(three.request().id(), new Instruction("eve", "not today"));
            child.kill();
            var second = launched(two);

            assertThat(repository
                            .execution(killed.id())
                            .orElseThrow()
                            .failure()
                            .orElseThrow()
                            .category())
                    .isEqualTo(FailureCategory.OWNER_LOST);
            assertThat(active(repository)).extracting(JobExecution::id).containsExactly(second.executionId());
            assertThat(four.tryLaunch()).as("its turn has not come").isEmpty();
            assertThat(four.place())
                    .as("the cancelled one and the dead one are gone")
                    .isEqualTo(1);
            assertThat(three.tryLaunch().orElseThrow()).isInstanceOf(LaunchResult.Withdrawn.class);
            finish(second, 2);
            finish(launched(four), 4);
            assertThat(active(repository)).isEmpty();
            assertThat(repository.queuedLaunches(Optional.empty(), 10)).isEmpty();
        }
    }
}
