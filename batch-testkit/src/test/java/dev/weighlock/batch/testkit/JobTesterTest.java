package dev.weighlock.batch.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.JobParameters;
import dev.weighlock.batch.ParameterValue;
import dev.weighlock.batch.flow.Job;
import dev.weighlock.batch.flow.TaskletStep;
import dev.weighlock.batch.run.ProgressEvent;
import dev.weighlock.batch.tasklet.TaskletOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
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
    void readAll_ofOneReader_givesItsItems() {
        var parameters = JobParameters.NONE.with("count", new ParameterValue.LongValue(3));

        var read = tester.<Long>readAll(
                step -> {
                    var left = LongStream.rangeClosed(
                                    1,
                                    ((ParameterValue.LongValue) step.parameters()
                                                    .value("count")
                                                    .orElseThrow())
                                            .value())
                            .iterator();
                    return () -> left.hasNext() ? left.next() : null;
                },
                parameters);

        assertThat(read).containsExactly(1L, 2L, 3L);
        assertThat(tester.<Long>readAll(step -> () -> null, parameters)).isEmpty();
    }

    @Test
    void process_ofOneProcessor_givesItsResultsWithoutTheFiltered() {
        var results = tester.<Integer, String>process(
                step -> item -> item % 2 == 0 ? null : "item " + item, List.of(1, 2, 3), JobParameters.NONE);

        assertThat(results).containsExactly("item 1", "item 3");
    }

    @Test
    void write_withOneWriter_isCalledChunkByChunk() {
        var chunks = new ArrayList<List<Integer>>();

        tester.<Integer>write(step -> (items, chunk) -> chunks.add(List.copyOf(items)), List.of(1, 2, 3), 2);

        assertThat(chunks).containsExactly(List.of(1, 2), List.of(3));
    }

    @Test
    void component_thatFails_isAnAssertionErrorThatSaysWhy() {
        assertThatThrownBy(() -> tester.<Integer>write(
                        step -> (items, chunk) -> {
                            throw new IllegalStateException("no room");
                        },
                        List.of(1),
                        2))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("FAILED")
                .hasMessageContaining("no room");
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
