package dev.weighlock.batch.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.StepExecution;
import dev.weighlock.batch.repository.ChunkProgress;
import dev.weighlock.batch.repository.EndedTogether;
import dev.weighlock.batch.repository.EnlistedWrite;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** The last step and its execution end by one write, or neither does. */
abstract class JointEndContract extends RepositoryTest {
    private EndedTogether end(StepExecution step, JobExecution execution, BatchStatus status) {
        return repository.end(
                step,
                Samples.stepTo(BatchStatus.COMPLETED, Samples.counts(3, 1), Samples.CONTEXT),
                execution,
                Samples.to(status, Samples.CONTEXT));
    }

    private void assertUnchanged(StepExecution step, JobExecution execution) {
        assertThat(repository.execution(execution.id())).contains(execution);
        assertThat(repository.steps(execution.id())).containsExactly(step);
    }

    @Test
    void end_stepAndExecution_areStoredAsReturned() {
        var execution = started();
        var step = step(execution);

        var ended = end(step, execution, BatchStatus.COMPLETED);

        assertThat(ended.step().status()).isEqualTo(BatchStatus.COMPLETED);
        assertThat(ended.step().counts()).isEqualTo(Samples.counts(3, 1));
        assertThat(ended.execution().status()).isEqualTo(BatchStatus.COMPLETED);
        assertThat(ended.execution().context()).isEqualTo(Samples.CONTEXT);
        assertThat(ended.execution().version()).isEqualTo(execution.version() + 1);
        assertThat(ended.step().endedAt().orElseThrow())
                .isBeforeOrEqualTo(ended.execution().endedAt().orElseThrow());
        assertUnchanged(ended.step(), ended.execution());
        assertThat(repository.lastStep(step.instanceId(), LOAD)).contains(ended.step());
    }

    @Test
    void end_afterAStopRequest_keepsIt() {
        var execution = started();
        var step = step(execution);
        repository.requestStop(execution.id(), OptionalLong.empty(), "somebody@here");

        var ended = end(step, execution, BatchStatus.COMPLETED);

        assertThat(ended.execution().stop().request().orElseThrow().actor()).isEqualTo("somebody@here");
        assertThat(ended.execution().stop().lastCommitAt()).isEmpty();
        assertUnchanged(ended.step(), ended.execution());
    }

    @Test
    void end_afterAStopWasSeen_isStoppedByThatLastCommit() {
        var execution = started();
        var step = step(execution);
        var stopping = become(execution, BatchStatus.STOPPING);

        var ended = end(step, stopping, BatchStatus.STOPPED);

        assertThat(ended.step().status()).isEqualTo(BatchStatus.COMPLETED);
        var stop = ended.execution().stop();
        assertThat(stop.lastCommitAt().orElseThrow())
                .isBetween(
                        stop.seenAt().orElseThrow(), ended.execution().endedAt().orElseThrow());
        assertUnchanged(ended.step(), ended.execution());
    }

    @Test
    void end_afterTheExecutionMoved_changesNeither() {
        var execution = started();
        var step = step(execution);
        var stopping = become(execution, BatchStatus.STOPPING);

        assertRefused(BatchError.STALE_VERSION, () -> end(step, execution, BatchStatus.COMPLETED));

        assertUnchanged(step, stopping);
    }

    @Test
    void end_afterTheStepMoved_changesNeither() {
        var execution = started();
        var step = step(execution);
        var committed = repository.commitChunk(
                step, new ChunkProgress(Samples.counts(1, 1), Samples.CONTEXT), EnlistedWrite.NONE);

        assertRefused(BatchError.STALE_VERSION, () -> end(step, execution, BatchStatus.COMPLETED));

        assertUnchanged(committed, execution);
    }

    @Test
    void end_whatTheMachineForbids_isRefusedBeforeAnythingIsSent() {
        var execution = started();
        var step = step(execution);
        var stopping = become(execution, BatchStatus.STOPPING);

        assertRefused(BatchError.ILLEGAL_TRANSITION, () -> end(step, stopping, BatchStatus.COMPLETED));
        assertThatThrownBy(() -> repository.end(
                        step, Samples.stepTo(BatchStatus.FAILED), stopping, Samples.to(BatchStatus.STOPPED)))
                .isInstanceOf(IllegalArgumentException.class);

        assertUnchanged(step, stopping);
    }
}
