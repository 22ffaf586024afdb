package dev.weighlock.batch.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.ExecutionContext;
import dev.weighlock.batch.ExitStatus;
import dev.weighlock.batch.StepCounts;
import dev.weighlock.batch.StepName;
import dev.weighlock.batch.StopTiming;
import dev.weighlock.batch.repository.ChunkProgress;
import dev.weighlock.batch.repository.EnlistedWrite;
import dev.weighlock.batch.repository.StepChange;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Step attempts, their chunks and their start limit. */
abstract class StepContract extends RepositoryTest {
    private static final EnumSet<BatchStatus> TERMINAL =
            EnumSet.of(BatchStatus.STOPPED, BatchStatus.FAILED, BatchStatus.COMPLETED, BatchStatus.UNKNOWN);

    @Test
    void createStep_isStartedWithZeroCounts() {
        var execution = started();

        var step = step(execution);

        assertThat(step.status()).isEqualTo(BatchStatus.STARTED);
        assertThat(step.executionId()).isEqualTo(execution.id());
        assertThat(step.instanceId()).isEqualTo(execution.instance().id());
        assertThat(step.attempt()).isEqualTo(1);
        assertThat(step.epoch()).isEqualTo(execution.epoch());
        assertThat(step.counts()).isEqualTo(StepCounts.ZERO);
        assertThat(repository.lastStep(step.instanceId(), LOAD)).contains(step);
        assertThat(repository.lastStep(step.instanceId(), new StepName("other")))
                .isEmpty();
    }

    @Test
    void createStep_ofAFinishedExecution_isRefused() {
        var execution = started();
        become(execution, BatchStatus.STOPPED);

        assertRefused(BatchError.STALE_VERSION, () -> step(execution));
    }

    @Test
    void createStep_afterAnUnfinishedAttempt_carriesItsContext() {
        for (var status : EnumSet.complementOf(EnumSet.of(BatchStatus.COMPLETED))) {
            if (!TERMINAL.contains(status)) {
                continue;
            }
            var execution = become(launch("job", status.name()), BatchStatus.STARTED);
            var counts = Samples.counts(5, 1);
            repository.update(step(execution), Samples.stepTo(status, counts, Samples.CONTEXT), EnlistedWrite.NONE);

            var next = step(execution);

            assertThat(next.attempt()).isEqualTo(2);
            assertThat(next.context()).isEqualTo(Samples.CONTEXT);
            assertThat(next.counts()).isEqualTo(StepCounts.ZERO);
        }
    }

    @Test
    void createStep_afterACompletedAttempt_beginsWithAnEmptyContext() {
        var execution = started();
        var done = Samples.stepTo(BatchStatus.COMPLETED, StepCounts.ZERO, Samples.CONTEXT);
        repository.update(step(execution), done, EnlistedWrite.NONE);

        assertThat(step(execution).context()).isEqualTo(ExecutionContext.EMPTY);
    }

    @Test
    void startLimit_countsAttemptsOfTheInstance() {
        var execution = started();
        repository.update(
                repository.createStep(execution, LOAD, 2, false),
                Samples.stepTo(BatchStatus.FAILED),
                EnlistedWrite.NONE);
        var second = become(restart(become(execution, BatchStatus.FAILED)), BatchStatus.STARTED);
        repository.createStep(second, LOAD, 2, false);

        assertRefused(BatchError.START_LIMIT_EXCEEDED, () -> repository.createStep(second, LOAD, 2, false));
        assertThat(repository
                        .createStep(second, new StepName("other"), 1, false)
                        .attempt())
                .isEqualTo(1);
    }

    @Test
    void update_everyStatus_onlyTerminalOnesOnce() {
        for (var status : BatchStatus.values()) {
            var step = step(become(launch("job", status.name()), BatchStatus.STARTED));
            if (TERMINAL.contains(status)) {
                var done = repository.update(step, Samples.stepTo(status), EnlistedWrite.NONE);
                assertThat(done.status()).isEqualTo(status);
                assertThat(done.endedAt()).isPresent();
                assertThat(repository.steps(step.executionId())).containsExactly(done);
                assertRefused(
                        BatchError.ILLEGAL_TRANSITION,
                        () -> repository.update(done, Samples.stepTo(BatchStatus.COMPLETED), EnlistedWrite.NONE));
                assertRefused(
                        BatchError.STALE_VERSION,
                        () -> repository.update(step, Samples.stepTo(BatchStatus.COMPLETED), EnlistedWrite.NONE));
            } else {
                assertRefused(
                        BatchError.ILLEGAL_TRANSITION,
                        () -> repository.update(step, Samples.stepTo(status), EnlistedWrite.NONE));
            }
        }
    }

    @Test
    void update_carriesEverything() {
        var step = step(started());
        var change = new StepChange(
                BatchStatus.STOPPED,
                new ExitStatus("HALF"),
                new StepCounts(10, 9, 4, 3, 1, 1, 1, 2, 5),
                Samples.CONTEXT,
                Optional.of(StopTiming.DURING_EXECUTION),
                Optional.empty(),
                Optional.of("stopped by hand"),
                Optional.of("{\"rows\":[1]}"));

        var done = repository.update(step, change, EnlistedWrite.NONE);

        assertThat(done.exitStatus()).isEqualTo(change.exitStatus());
        assertThat(done.counts()).isEqualTo(change.counts());
        assertThat(done.context()).isEqualTo(change.context());
        assertThat(done.stopTiming()).isEqualTo(change.stopTiming());
        assertThat(done.diagnostics()).isEqualTo(change.diagnostics());
        assertThat(repository.stepEvidence(step.id())).isEqualTo(change.evidence());
        assertThat(repository.stepContext(step.instanceId(), LOAD)).isEqualTo(change.context());
    }

    @Test
    void evidence_overItsBound_isRefused() {
        var step = step(started());
        var change = new StepChange(
                BatchStatus.COMPLETED,
                ExitStatus.COMPLETED,
                StepCounts.ZERO,
                ExecutionContext.EMPTY,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.of("\"" + "x".repeat(256 * 1024) + "\""));

        assertRefused(BatchError.TOO_LARGE, () -> repository.update(step, change, EnlistedWrite.NONE));
    }

    @Test
    void commitChunk_raisesTheVersionAndKeepsTheStatus() {
        var step = step(started());
        var progress = new ChunkProgress(Samples.counts(100, 1), Samples.CONTEXT);

        var committed = repository.commitChunk(step, progress, EnlistedWrite.NONE);

        assertThat(committed.version()).isEqualTo(step.version() + 1);
        assertThat(committed.status()).isEqualTo(BatchStatus.STARTED);
        assertThat(committed.counts()).isEqualTo(progress.counts());
        assertThat(committed.context()).isEqualTo(progress.context());
        assertRefused(BatchError.STALE_VERSION, () -> repository.commitChunk(step, progress, EnlistedWrite.NONE));
    }

    @Test
    void commitChunk_contextOverItsBound_isRefused() {
        var step = step(started());
        var large = ExecutionContext.of(Map.of("large", "x".repeat(64 * 1024)));

        assertRefused(
                BatchError.TOO_LARGE,
                () -> repository.commitChunk(step, new ChunkProgress(StepCounts.ZERO, large), EnlistedWrite.NONE));
    }

    @Test
    void lastCommit_onlyAfterTheStopWasSeen() {
        var execution = started();
        var step = step(execution);
        step = repository.commitChunk(
                step, new ChunkProgress(Samples.counts(1, 1), Samples.CONTEXT), EnlistedWrite.NONE);
        var stopping = become(execution, BatchStatus.STOPPING);
        repository.update(step, Samples.stepTo(BatchStatus.STOPPED), EnlistedWrite.NONE);

        var stopped = become(stopping, BatchStatus.STOPPED);

        assertThat(stopped.stop().lastCommitAt().orElseThrow())
                .isBetween(
                        stopped.stop().seenAt().orElseThrow(), stopped.endedAt().orElseThrow());
    }

    @Test
    void steps_inTheOrderBegun() {
        var execution = started();
        var names = List.of("c", "a", "b");
        names.forEach(name -> repository.createStep(execution, new StepName(name), 1, false));

        assertThat(repository.steps(execution.id()))
                .extracting(step -> step.name().value())
                .isEqualTo(names);
    }
}
