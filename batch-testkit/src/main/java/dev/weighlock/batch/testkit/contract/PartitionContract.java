package dev.weighlock.batch.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.ExecutionContext;
import dev.weighlock.batch.ExitStatus;
import dev.weighlock.batch.PartitionExecution;
import dev.weighlock.batch.PartitionStatus;
import dev.weighlock.batch.StepCounts;
import dev.weighlock.batch.StepExecution;
import dev.weighlock.batch.repository.ChunkProgress;
import dev.weighlock.batch.repository.EnlistedWrite;
import dev.weighlock.batch.repository.PartitionChange;
import dev.weighlock.batch.repository.PartitionTurn;
import dev.weighlock.batch.repository.PlannedPartition;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Plans, claims and the small machine of partitions. */
abstract class PartitionContract extends RepositoryTest {
    private PartitionExecution finish(StepExecution step, PartitionExecution claimed, PartitionStatus status) {
        return repository.update(step, claimed, Samples.partitionTo(status, Samples.counts(10, 1)), EnlistedWrite.NONE);
    }

    private StepExecution planned(int partitions) {
        var step = partitionedStep(started());
        repository.plan(step, Samples.plan(partitions));
        return step;
    }

    @Test
    void plan_isReadBackInPlanOrder() {
        var step = planned(3);

        var page = repository.partitions(step.id(), Optional.empty(), 10);

        assertThat(page.next()).isEmpty();
        assertThat(page.items()).extracting(PartitionExecution::key).containsExactly("key-0", "key-1", "key-2");
        assertThat(page.items()).extracting(PartitionExecution::ordinal).containsExactly(0, 1, 2);
        assertThat(page.items()).allMatch(partition -> partition.status() == PartitionStatus.PLANNED);
        assertThat(page.items().get(2).input()).isEqualTo(ExecutionContext.of(Map.of("number", 2)));
    }

    @Test
    void plan_withTwoEqualKeysOrABadKeyOrLargeInput_isRefusedWhole() {
        var step = partitionedStep(started());
        var twice = new ArrayList<>(Samples.plan(2));
        twice.add(twice.getFirst());
        var large = ExecutionContext.of(Map.of("large", "x".repeat(4 * 1024)));

        assertRefused(BatchError.INVALID_DEFINITION, () -> repository.plan(step, twice));
        assertRefused(BatchError.INVALID_DEFINITION, () -> repository.plan(step, keyed("")));
        assertRefused(BatchError.INVALID_DEFINITION, () -> repository.plan(step, keyed("x".repeat(129))));
        assertRefused(BatchError.TOO_LARGE, () -> repository.plan(step, List.of(new PlannedPartition("key", large))));
        assertThat(repository.totals(step).total()).isZero();
    }

    private static List<PlannedPartition> keyed(String key) {
        return List.of(new PlannedPartition(key, ExecutionContext.EMPTY));
    }

    @Test
    void claim_takesInPlanOrderAndEachOnce() {
        var step = planned(5);

        var first = repository.claim(step, 2);
        var second = repository.claim(step, 10);

        assertThat(first).extracting(PartitionExecution::ordinal).containsExactly(0, 1);
        assertThat(second).extracting(PartitionExecution::ordinal).containsExactly(2, 3, 4);
        assertThat(first).allMatch(partition -> partition.status() == PartitionStatus.STARTED);
        assertThat(first).allMatch(partition -> partition.claim() == 1);
        assertThat(repository.claim(step, 1)).isEmpty();
    }

    @Test
    void updateAndClaim_endsOneAndTakesTheNextInPlanOrder() {
        var step = planned(4);
        var first = repository.claim(step, 1).getFirst();

        var turn = turn(step, first, 2);

        assertThat(turn.ended().status()).isEqualTo(PartitionStatus.COMPLETED);
        assertThat(turn.ended().counts()).isEqualTo(Samples.counts(10, 1));
        assertThat(turn.claimed()).extracting(PartitionExecution::ordinal).containsExactly(1, 2);
        assertThat(turn.claimed())
                .allMatch(partition -> partition.status() == PartitionStatus.STARTED && partition.claim() == 1);
        assertThat(repository.partitions(step.id(), Optional.empty(), 2).items())
                .containsExactly(turn.ended(), turn.claimed().getFirst());
        assertThat(turn(step, turn.claimed().getFirst(), 5).claimed()).hasSize(1);
        assertThat(turn(step, turn.claimed().getLast(), 5).claimed()).isEmpty();
    }

    @Test
    void updateAndClaim_ofNone_endsOne() {
        var step = planned(2);

        var turn = turn(step, repository.claim(step, 1).getFirst(), 0);

        assertThat(turn.ended().status()).isEqualTo(PartitionStatus.COMPLETED);
        assertThat(turn.claimed()).isEmpty();
        assertThat(repository.claim(step, 2)).hasSize(1);
    }

    @Test
    void updateAndClaim_ofAnEndedPartition_takesNothing() {
        var step = planned(2);
        var claimed = repository.claim(step, 1).getFirst();
        finish(step, claimed, PartitionStatus.STOPPED);

        assertRefused(BatchError.STALE_VERSION, () -> turn(step, claimed, 1));

        assertThat(repository.claim(step, 2)).hasSize(1);
    }

    private PartitionTurn turn(StepExecution step, PartitionExecution claimed, int most) {
        return repository.updateAndClaim(
                step,
                claimed,
                Samples.partitionTo(PartitionStatus.COMPLETED, Samples.counts(10, 1)),
                EnlistedWrite.NONE,
                () -> most);
    }

    @Test
    void claim_byManyThreads_givesEachPartitionOnce() throws Exception {
        var step = planned(200);

        var claimed = LaunchContract.together(4, () -> {
            var mine = new ArrayList<PartitionExecution>();
            for (var some = repository.claim(step, 7); !some.isEmpty(); some = repository.claim(step, 7)) {
                mine.addAll(some);
            }
            return mine;
        });

        assertThat(claimed.stream().flatMap(List::stream).map(PartitionExecution::ordinal))
                .hasSize(200)
                .doesNotHaveDuplicates();
    }

    /** A partition in a status, as its worker or nobody knows it. */
    private PartitionExecution inStatus(StepExecution step, PartitionStatus status) {
        return switch (status) {
            case PLANNED ->
                repository.partitions(step.id(), Optional.empty(), 1).items().getFirst();
            case STARTED -> repository.claim(step, 1).getFirst();
            case COMPLETED, STOPPED, FAILED, UNKNOWN ->
                finish(step, repository.claim(step, 1).getFirst(), status);
        };
    }

    @ParameterizedTest
    @EnumSource(PartitionStatus.class)
    void update_everyPair_followsTheMachine(PartitionStatus from) {
        for (var to : PartitionStatus.values()) {
            var step = partitionedStep(become(launch("job", to.name()), BatchStatus.STARTED));
            repository.plan(step, Samples.plan(1));
            var current = inStatus(step, from);
            // A worker ends what it claimed; PLANNED ones are claimed and stopped by calls of their own.
            if (from == PartitionStatus.STARTED && from.canBecome(to)) {
                var done = finish(step, current, to);
                assertThat(done.status()).isEqualTo(to);
                assertThat(done.endedAt()).isPresent();
                assertRefused(BatchError.STALE_VERSION, () -> finish(step, current, PartitionStatus.COMPLETED));
            } else {
                assertRefused(BatchError.ILLEGAL_TRANSITION, () -> finish(step, current, to));
                assertThat(repository.totals(step).count(from)).isEqualTo(1);
            }
        }
    }

    @Test
    void update_carriesEverything() {
        var step = planned(1);
        var change = new PartitionChange(
                PartitionStatus.COMPLETED,
                new ExitStatus("EMPTY"),
                new StepCounts(10, 9, 4, 3, 1, 1, 1, 2, 5),
                Samples.CONTEXT,
                Optional.empty(),
                Optional.of("nothing there"),
                Optional.of("{\"file\":\"a\"}"));

        var done = repository.update(step, repository.claim(step, 1).getFirst(), change, EnlistedWrite.NONE);

        assertThat(done.exitStatus()).isEqualTo(change.exitStatus());
        assertThat(done.counts()).isEqualTo(change.counts());
        assertThat(done.context()).isEqualTo(change.context());
        assertThat(done.diagnostics()).isEqualTo(change.diagnostics());
        assertThat(repository.partitionEvidence(done.id())).isEqualTo(change.evidence());
    }

    @Test
    void commitChunk_keepsClaimAndStatus() {
        var step = planned(1);
        var claimed = repository.claim(step, 1).getFirst();
        var progress = new ChunkProgress(Samples.counts(3, 1), Samples.CONTEXT);

        var committed = repository.commitChunk(step, claimed, progress, EnlistedWrite.NONE);

        assertThat(committed.status()).isEqualTo(PartitionStatus.STARTED);
        assertThat(committed.claim()).isEqualTo(claimed.claim());
        assertThat(committed.counts()).isEqualTo(progress.counts());
        assertThat(committed.context()).isEqualTo(progress.context());
        var large = new ChunkProgress(StepCounts.ZERO, ExecutionContext.of(Map.of("large", "x".repeat(4 * 1024))));
        assertRefused(BatchError.TOO_LARGE, () -> repository.commitChunk(step, claimed, large, EnlistedWrite.NONE));
    }

    @Test
    void stopPlanned_leavesStartedOnes() {
        var step = planned(5);
        var claimed = repository.claim(step, 2);
        finish(step, claimed.getFirst(), PartitionStatus.COMPLETED);

        assertThat(repository.stopPlanned(step)).isEqualTo(3);

        var totals = repository.totals(step);
        assertThat(totals.count(PartitionStatus.STOPPED)).isEqualTo(3);
        assertThat(totals.count(PartitionStatus.STARTED)).isEqualTo(1);
        assertThat(totals.count(PartitionStatus.COMPLETED)).isEqualTo(1);
        assertThat(repository.claim(step, 5)).isEmpty();
    }

    @Test
    void totals_sumCounts() {
        var step = planned(3);
        repository.claim(step, 3).forEach(claimed -> finish(step, claimed, PartitionStatus.COMPLETED));

        var totals = repository.totals(step);

        assertThat(totals.total()).isEqualTo(3);
        assertThat(totals.counts()).isEqualTo(Samples.counts(30, 3));
    }

    @Test
    void copyPlan_carriesCompletedOnesAndPlansTheOthers() {
        var execution = started();
        var first = partitionedStep(execution);
        repository.plan(first, Samples.plan(4));
        var claimed = repository.claim(first, 3);
        var done = finish(first, claimed.get(0), PartitionStatus.COMPLETED);
        finish(first, claimed.get(1), PartitionStatus.FAILED);
        finish(first, claimed.get(2), PartitionStatus.STOPPED);
        repository.stopPlanned(first);
        repository.update(first, Samples.stepTo(BatchStatus.FAILED), EnlistedWrite.NONE);

        var second = partitionedStep(execution);
        assertThat(repository.copyPlan(second)).isEqualTo(4);

        var copied = repository.partitions(second.id(), Optional.empty(), 10).items();
        assertThat(copied)
                .extracting(PartitionExecution::status)
                .containsExactly(
                        PartitionStatus.COMPLETED,
                        PartitionStatus.PLANNED,
                        PartitionStatus.PLANNED,
                        PartitionStatus.PLANNED);
        assertThat(copied).extracting(PartitionExecution::carriedOver).containsExactly(true, false, false, false);
        assertThat(copied.getFirst().counts()).isEqualTo(done.counts());
        assertThat(copied.getFirst().endedAt()).isEqualTo(done.endedAt());
        assertThat(copied.get(1).counts()).isEqualTo(StepCounts.ZERO);
        assertThat(copied.get(1).context()).isEqualTo(Samples.CONTEXT);
        assertThat(copied.get(1).failure()).isEmpty();
        assertThat(repository.totals(second).counts()).isEqualTo(StepCounts.ZERO);
    }

    @Test
    void copyPlan_passesOverAnAttemptWithoutAPlan() {
        var execution = started();
        var first = partitionedStep(execution);
        repository.plan(first, Samples.plan(2));
        repository.update(first, Samples.stepTo(BatchStatus.FAILED), EnlistedWrite.NONE);
        repository.update(partitionedStep(execution), Samples.stepTo(BatchStatus.FAILED), EnlistedWrite.NONE);

        assertThat(repository.copyPlan(partitionedStep(execution))).isEqualTo(2);
    }

    @Test
    void copyPlan_doesNotReachBehindAnAttemptThatCompleted() {
        var execution = started();
        var first = partitionedStep(execution);
        repository.plan(first, Samples.plan(2));
        repository.update(first, Samples.stepTo(BatchStatus.COMPLETED), EnlistedWrite.NONE);
        repository.update(partitionedStep(execution), Samples.stepTo(BatchStatus.FAILED), EnlistedWrite.NONE);

        assertThat(repository.copyPlan(partitionedStep(execution))).isZero();
    }

    @Test
    void copyPlan_withoutAnEarlierPlan_isZero() {
        assertThat(repository.copyPlan(partitionedStep(started()))).isZero();
    }
}
