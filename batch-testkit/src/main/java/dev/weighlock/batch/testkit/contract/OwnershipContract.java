package dev.weighlock.batch.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;
import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.FailureCategory;
import dev.weighlock.batch.FlowDecision;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.PartitionStatus;
import dev.weighlock.batch.repository.ChunkProgress;
import dev.weighlock.batch.repository.EnlistedWrite;
import dev.weighlock.batch.repository.JobRepository;
import dev.weighlock.batch.repository.LaunchDecision;
import dev.weighlock.batch.repository.NodeInfo;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Several nodes on one store: a live owner is left alone, a dead one is replaced once and fenced. */
abstract class OwnershipContract extends RepositoryTest {
    private NodeInfo otherNode;
    private JobRepository other;

    @BeforeEach
    void openOther() {
        otherNode = Samples.node();
        other = open();
        other.register(otherNode);
    }

    /** An execution that the other node started. */
    private JobExecution othersExecution() {
        var request = Samples.request("job", Samples.day("1"), otherNode, OptionalLong.empty());
        return other.update(created(other.createExecution(request)), Samples.to(BatchStatus.STARTED));
    }

    @Test
    void id_isTheSameForEveryProcess() {
        assertThat(other.id()).isEqualTo(repository.id());
    }

    @Test
    void liveOwner_isNeitherDeadNorTakenOver() {
        var execution = othersExecution();

        assertThat(repository.isOwnerAlive(execution)).isTrue();
        assertThat(repository.deadExecutions()).isEmpty();
        assertRefused(BatchError.ALREADY_RUNNING, () -> repository.failDead(execution, Samples.AUDIT));
    }

    @Test
    void deadOwner_isFoundWithItsNode() {
        var execution = othersExecution();
        started(repository);

        other.close();

        assertThat(repository.isOwnerAlive(execution)).isFalse();
        assertThat(repository.deadExecutions()).singleElement().satisfies(dead -> {
            assertThat(dead.execution()).isEqualTo(execution);
            assertThat(dead.owner()).isEqualTo(otherNode);
        });
    }

    private void started(JobRepository owner) {
        var request = Samples.request("mine", Samples.day("1"), node, OptionalLong.empty());
        owner.update(created(owner.createExecution(request)), Samples.to(BatchStatus.STARTED));
    }

    @Test
    void failDead_endsJobStepsAndPartitions() {
        var execution = othersExecution();
        var step = other.createStep(execution, LOAD, 1, true);
        other.plan(step, Samples.plan(3));
        var claimed = other.claim(step, 2);
        other.update(
                step,
                claimed.getFirst(),
                Samples.partitionTo(PartitionStatus.COMPLETED, Samples.counts(1, 1)),
                EnlistedWrite.NONE);
        other.close();

        var failed = repository.failDead(execution, Samples.AUDIT);

        assertThat(failed.status()).isEqualTo(BatchStatus.FAILED);
        assertThat(failed.epoch()).isEqualTo(execution.epoch() + 1);
        assertThat(failed.failure().orElseThrow().category()).isEqualTo(FailureCategory.OWNER_LOST);
        assertThat(failed.endedAt()).isPresent();
        var failedStep = repository.steps(execution.id()).getFirst();
        assertThat(failedStep.status()).isEqualTo(BatchStatus.FAILED);
        assertThat(failedStep.epoch()).isEqualTo(failed.epoch());
        var totals = repository.totals(failedStep);
        assertThat(totals.count(PartitionStatus.COMPLETED)).isEqualTo(1);
        assertThat(totals.count(PartitionStatus.FAILED)).isEqualTo(1);
        assertThat(totals.count(PartitionStatus.STOPPED)).isEqualTo(1);
        assertThat(repository.deadExecutions()).isEmpty();
    }

    @Test
    void failDead_byTwo_letsOneWin() throws Exception {
        var execution = othersExecution();
        other.close();

        var outcomes = LaunchContract.together(4, () -> {
            try {
                return repository.failDead(execution, Samples.AUDIT).status().name();
            } catch (BatchException e) {
                return e.error().name();
            }
        });

        assertThat(outcomes).containsExactlyInAnyOrder("FAILED", "STALE_VERSION", "STALE_VERSION", "STALE_VERSION");
    }

    @Test
    void failDead_keepsAPendingStop() {
        var execution = othersExecution();
        repository.requestStop(execution.id(), OptionalLong.empty(), "somebody@here");
        other.close();

        var failed = repository.failDead(repository.execution(execution.id()).orElseThrow(), Samples.AUDIT);

        assertThat(failed.stop().request()).isPresent();
    }

    @Test
    void failDead_ofOneThatWasStopping_keepsAllInstantsOfTheStop() {
        var execution = othersExecution();
        var step = other.createStep(execution, LOAD, 9, false);
        other.requestStop(execution.id(), OptionalLong.empty(), "somebody@here");
        var stopping = other.update(execution, Samples.to(BatchStatus.STOPPING));
        other.commitChunk(step, new ChunkProgress(Samples.counts(1, 1), Samples.CONTEXT), EnlistedWrite.NONE);
        other.close();

        var failed = repository.failDead(stopping, Samples.AUDIT);

        var stop = failed.stop();
        assertThat(stop.request().orElseThrow().requestedAt())
                .isBeforeOrEqualTo(stop.seenAt().orElseThrow());
        assertThat(stop.lastCommitAt().orElseThrow())
                .isBetween(stop.seenAt().orElseThrow(), failed.endedAt().orElseThrow());
        assertThat(repository.execution(failed.id())).contains(failed);
    }

    @Test
    void everyWriteOfAFencedOwner_isRefused() {
        var execution = othersExecution();
        var step = other.createStep(execution, LOAD, 9, true);
        other.plan(step, Samples.plan(2));
        var claimed = other.claim(step, 1).getFirst();
        other.close();
        var failed = repository.failDead(execution, Samples.AUDIT);
        var progress = new ChunkProgress(Samples.counts(1, 1), Samples.CONTEXT);

        assertRefused(BatchError.FENCED, () -> become(execution, BatchStatus.COMPLETED));
        assertRefused(
                BatchError.FENCED,
                () -> repository.recordDecision(execution, new FlowDecision("load", "COMPLETED", "END")));
        assertRefused(BatchError.FENCED, () -> repository.createStep(execution, LOAD, 9, false));
        assertRefused(
                BatchError.FENCED,
                () -> repository.update(step, Samples.stepTo(BatchStatus.COMPLETED), EnlistedWrite.NONE));
        assertRefused(
                BatchError.FENCED,
                () -> repository.end(
                        step, Samples.stepTo(BatchStatus.COMPLETED), execution, Samples.to(BatchStatus.COMPLETED)));
        assertRefused(BatchError.FENCED, () -> repository.commitChunk(step, progress, EnlistedWrite.NONE));
        assertRefused(BatchError.FENCED, () -> repository.commitChunk(step, claimed, progress, EnlistedWrite.NONE));
        assertRefused(
                BatchError.FENCED,
                () -> repository.update(
                        step,
                        claimed,
                        Samples.partitionTo(PartitionStatus.COMPLETED, Samples.counts(1, 1)),
                        EnlistedWrite.NONE));
        assertRefused(
                BatchError.FENCED,
                () -> repository.updateAndClaim(
                        step,
                        claimed,
                        Samples.partitionTo(PartitionStatus.COMPLETED, Samples.counts(1, 1)),
                        EnlistedWrite.NONE,
                        () -> 1));
        assertRefused(BatchError.FENCED, () -> repository.claim(step, 1));
        assertRefused(BatchError.FENCED, () -> repository.stopPlanned(step));
        assertRefused(BatchError.FENCED, () -> repository.plan(step, Samples.plan(1)));
        assertRefused(BatchError.FENCED, () -> repository.copyPlan(step));
        assertThat(repository.execution(execution.id())).contains(failed);
    }

    @Test
    void stopRequest_ofAnotherProcess_reachesTheOwner() throws Exception {
        var execution = othersExecution();
        var told = new LinkedBlockingQueue<Long>();
        try (var _ = other.onStopRequested(told::add)) {
            repository.requestStop(execution.id(), OptionalLong.empty(), "somebody@here");

            assertThat(told.poll(300, TimeUnit.SECONDS)).isEqualTo(execution.id());
            assertThat(repository.pendingStops()).isEmpty();
            assertThat(other.pendingStops()).hasSize(1);
        }
    }

    @Test
    void launches_ofTwoProcesses_haveOneWinner() throws Exception {
        for (int day = 0; day < 10; day++) {
            var parameters = Samples.day("" + day);
            var created = LaunchContract.<LaunchDecision>together(List.of(
                    () -> repository.createExecution(Samples.request("job", parameters, node, OptionalLong.empty())),
                    () -> other.createExecution(Samples.request("job", parameters, otherNode, OptionalLong.empty()))));

            assertThat(created)
                    .filteredOn(LaunchDecision.Created.class::isInstance)
                    .hasSize(1);
        }
    }
}
