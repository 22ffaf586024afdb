package dev.weighlock.batch.jdbc.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.JobParameters;
import dev.weighlock.batch.jdbc.sqlite.SqliteRepository;
import dev.weighlock.batch.launch.LaunchResult;
import dev.weighlock.batch.launch.NodeRuntime;
import dev.weighlock.batch.run.RunOutcome;
import dev.weighlock.batch.tasklet.TaskletOutcome;
import dev.weighlock.batch.testkit.ChildJvm;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A tasklet that hears no stop for five seconds, while another process wants its restart ten times a second. */
class DeafTaskletTest {
    private static final int REFUSALS = 50;

    @TempDir
    Path folder;

    @Test
    @Timeout(600)
    void restart_ofADeafExecution_isRefusedUntilItHasEndedAndNeverOverlaps() throws Exception {
        var bodies = folder.resolve(DeafJob.BODIES);
        var answers = folder.resolve(DeafJob.ANSWERS);
        var deaf = DeafJob.of(context -> {
            DeafJob.tell(bodies, "begin 1");
            while (DeafJob.told(answers).size() < REFUSALS) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
            }
            assertThat(context.stopToken().isStopRequested()).isTrue();
            DeafJob.tell(bodies, "end 1");
            return TaskletOutcome.STOPPED;
        });
        try (var repository = SqliteRepository.open(folder.resolve(DeafJob.REPOSITORY));
                var node = NodeRuntime.on(repository).start()) {
            var run = ((LaunchResult.Launched) node.launcher().launch(deaf, JobParameters.NONE)).run();
            try (var operator = ChildJvm.start(DeafJob.class, folder.resolve("child"), List.of(folder.toString()))) {
                var outcome = run.await();
                assertThat(outcome)
                        .isInstanceOfSatisfying(
                                RunOutcome.Ended.class,
                                ended -> assertThat(ended.execution().status()).isEqualTo(BatchStatus.STOPPED));
                assertThat(operator.awaitExit()).as(operator.output()).isZero();
            }

            assertThat(DeafJob.told(bodies)).containsExactly("begin 1", "end 1", "begin 2", "end 2");
            assertThat(DeafJob.told(answers))
                    .hasSizeGreaterThanOrEqualTo(REFUSALS)
                    .allMatch(answer -> answer.startsWith("execution 1 is ST"))
                    .last()
                    .isEqualTo("execution 1 is STOPPING");
            assertThat(repository.execution(2).orElseThrow().status()).isEqualTo(BatchStatus.COMPLETED);
        }
    }
}
