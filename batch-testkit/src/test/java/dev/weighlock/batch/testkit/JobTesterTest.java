package dev.weighlock.batch.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.JobParameters;
import dev.weighlock.batch.flow.Job;
import dev.weighlock.batch.flow.TaskletStep;
import dev.weighlock.batch.run.ProgressEvent;
import dev.weighlock.batch.tasklet.TaskletOutcome;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class JobTesterTest {
    private final JobTester tester = new JobTester();

    @AfterEach
    void close() {
        tester.close();
    }

    @Test
    void run_jobThatMovesTheClock_storesItsInstants() {
        var job = Job.named("slow")
                .step(TaskletStep.of("wait", context -> {
                    tester.clock().advance(Duration.ofHours(3));
                    return TaskletOutcome.COMPLETED;
                }))
                .build();

        var ended = tester.run(job);

        assertThat(ended.status()).isEqualTo(BatchStatus.COMPLETED);
        assertThat(Duration.between(
                        ended.startedAt().orElseThrow(), ended.endedAt().orElseThrow()))
                .isEqualTo(Duration.ofHours(3));
        assertThat(tester.events()).last().isInstanceOf(ProgressEvent.JobEnded.class);
    }

    @Test
    void runStep_failing_tellsItsDiagnostics() {
        var step = TaskletStep.of("bad", context -> {
            throw new IllegalStateException("on purpose");
        });

        var ended = tester.runStep(step);

        assertThat(ended.status()).isEqualTo(BatchStatus.FAILED);
        assertThat(ended.diagnostics().orElseThrow()).contains("on purpose");
    }

    @Test
    void start_stopped_canBeRunAgain() {
        var job = Job.named("stoppable")
                .step(TaskletStep.of(
                        "wait",
                        context ->
                                context.jobAttempt() == 1 && context.stopToken().await(Duration.ofMinutes(1))
                                        ? TaskletOutcome.STOPPED
                                        : TaskletOutcome.COMPLETED))
                .build();
        var run = tester.start(job, JobParameters.NONE);

        run.stop();

        assertThat(JobTester.ended(run).status()).isEqualTo(BatchStatus.STOPPED);
        assertThat(tester.run(job).status()).isEqualTo(BatchStatus.COMPLETED);
    }
}
