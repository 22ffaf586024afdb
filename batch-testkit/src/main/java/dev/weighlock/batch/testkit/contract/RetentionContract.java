package dev.weighlock.batch.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.ExecutionContext;
import dev.weighlock.batch.FlowDecision;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.JobName;
import dev.weighlock.batch.StepCounts;
import dev.weighlock.batch.repository.EnlistedWrite;
import dev.weighlock.batch.repository.LaunchDecision;
import dev.weighlock.batch.repository.PurgeCandidate;
import dev.weighlock.batch.repository.PurgeRule;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Old instances go whole; held, live and unknown ones stay. */
abstract class RetentionContract extends RepositoryTest {
    private static final Instant LATER = Instant.parse("2999-01-01T00:00:00Z");
    private static final PurgeRule ALL = new PurgeRule(LATER, 0);

    private List<PurgeCandidate> purgeable(PurgeRule rule) {
        return repository.purgeable(rule, Optional.empty(), 100);
    }

    private List<Long> instances(PurgeRule rule) {
        return purgeable(rule).stream().map(PurgeCandidate::instanceId).toList();
    }

    private JobExecution completed(String job, String day) {
        return become(become(launch(job, day), BatchStatus.STARTED), BatchStatus.COMPLETED);
    }

    private void purge(List<PurgeCandidate> candidates) {
        repository.beginPurge(ALL, candidates);
        for (int turn = 0; repository.purge(2) >= 2; turn++) {
            assertThat(turn).as("turns").isLessThan(1_000);
        }
    }

    @Test
    void purgeable_isWhatIsOverBeforeTheInstant() {
        var old = completed("job", "1");
        launch("job", "2");
        become(become(launch("job", "3"), BatchStatus.STARTED), BatchStatus.UNKNOWN);

        assertThat(purgeable(ALL))
                .containsExactly(new PurgeCandidate(old.instance().id(), new JobName("job"), old.id(), 1));
        assertThat(purgeable(new PurgeRule(Instant.EPOCH, 0))).isEmpty();
    }

    @Test
    void purgeable_keepsTheNewestOfEachJob() {
        var one = completed("job", "1");
        var two = completed("job", "2");
        completed("job", "3");
        completed("other", "1");

        assertThat(instances(new PurgeRule(LATER, 1)))
                .containsExactlyInAnyOrder(one.instance().id(), two.instance().id());
        assertThat(instances(new PurgeRule(LATER, 2)))
                .containsExactly(one.instance().id());
    }

    @Test
    void purgeable_leavesHeldOnes() {
        var held = completed("job", "1");
        repository.placeHold(held, Samples.AUDIT);

        assertThat(purgeable(ALL)).isEmpty();
    }

    @Test
    void purgeable_isPaged() {
        for (int day = 0; day < 5; day++) {
            completed(day % 2 == 0 ? "job" : "other", "" + day);
        }
        var all = purgeable(ALL);

        var first = repository.purgeable(ALL, Optional.empty(), 2);
        var rest = repository.purgeable(ALL, Optional.of(first.getLast()), 10);

        assertThat(all).hasSize(5);
        assertThat(first).isEqualTo(all.subList(0, 2));
        assertThat(rest).isEqualTo(all.subList(2, 5));
    }

    @Test
    void purge_removesEverythingOfTheInstance() {
        var failed = failedWithEverything("1");
        var other = completed("job", "2");
        var candidates = purgeable(ALL).stream()
                .filter(one -> one.instanceId() == failed.instance().id())
                .toList();

        var begun = repository.beginPurge(ALL, candidates);
        assertThat(begun).singleElement().satisfies(one -> {
            assertThat(one.executions()).containsExactly(failed.id());
            assertThat(one.definitions()).containsExactly(failed.definitionDigest());
        });
        purge(candidates);

        assertThat(repository.execution(failed.id())).isEmpty();
        assertThat(repository.steps(failed.id())).isEmpty();
        assertThat(repository.auditTrail(failed.id(), 10))
                .as("the audit outlives what it speaks of")
                .hasSize(1);
        assertThat(repository.instance(new JobName("job"), failed.instance().identity()))
                .isEmpty();
        assertThat(repository.executions(Optional.empty(), Optional.empty(), 10).items())
                .containsExactly(other);
        assertThat(repository.jobs(Optional.empty(), 10).items())
                .singleElement()
                .satisfies(job -> {
                    assertThat(job.instances()).isEqualTo(1);
                    assertThat(job.executions()).isEqualTo(1);
                    assertThat(job.last()).isEqualTo(other);
                });
        assertThat(launch("job", "1").attempt()).as("the instance is new again").isEqualTo(1);
    }

    private JobExecution failedWithEverything(String day) {
        var started = become(launch("job", day), BatchStatus.STARTED);
        repository.recordDecision(started, new FlowDecision("load", "COMPLETED", "END"));
        var step = repository.createStep(started, LOAD, 5, true);
        repository.plan(step, Samples.plan(5));
        repository.stopPlanned(step);
        repository.update(
                step, Samples.stepTo(BatchStatus.STOPPED, StepCounts.ZERO, ExecutionContext.EMPTY), EnlistedWrite.NONE);
        repository.requestStop(started.id(), OptionalLong.empty(), "eve");
        return become(started, BatchStatus.FAILED);
    }

    @Test
    void purge_ofTheLastExecutionOfAJob_leavesTheOlderAsItsLast() {
        var held = completed("job", "1");
        repository.placeHold(held, Samples.AUDIT);
        completed("job", "2");

        purge(purgeable(ALL));

        assertThat(repository.jobs(Optional.empty(), 10).items())
                .singleElement()
                .satisfies(job -> assertThat(job.last()).isEqualTo(held));
    }

    @Test
    void purge_ofAWholeJob_leavesNoJob() {
        completed("job", "1");

        purge(purgeable(ALL));

        assertThat(repository.jobs(Optional.empty(), 10).items()).isEmpty();
        assertThat(launch("job", "1").attempt()).isEqualTo(1);
    }

    @Test
    void beginPurge_passesOverWhatWasRunOrHeldMeanwhile() {
        var run = become(become(launch("job", "1"), BatchStatus.STARTED), BatchStatus.FAILED);
        var held = completed("job", "2");
        var candidates = purgeable(ALL);
        restart(run);
        repository.placeHold(held, Samples.AUDIT);

        assertThat(repository.beginPurge(ALL, candidates)).isEmpty();
    }

    @Test
    void begunPurge_isRefusedToLaunchesAndPlannedAgain() {
        var failed = become(become(launch("job", "1"), BatchStatus.STARTED), BatchStatus.FAILED);
        var candidates = purgeable(ALL);
        repository.beginPurge(ALL, candidates);

        assertThat(repository.createExecution(Samples.restart(failed, node))).isInstanceOf(LaunchDecision.Held.class);
        assertThat(purgeable(new PurgeRule(LATER, 5))).isEqualTo(candidates);

        purge(candidates);

        assertThat(repository.execution(failed.id())).isEmpty();
    }
}
