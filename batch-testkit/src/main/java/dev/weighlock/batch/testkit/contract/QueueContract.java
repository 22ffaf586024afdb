package dev.weighlock.batch.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.JobName;
import dev.weighlock.batch.MaxConcurrent;
import dev.weighlock.batch.MaxConcurrent.Otherwise;
import dev.weighlock.batch.repository.LaunchDecision;
import dev.weighlock.batch.repository.LaunchRequest;
import dev.weighlock.batch.repository.QueuedLaunch;
import dev.weighlock.batch.repository.SlotClaim;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Slots of a job: the limit is decided in the launching transaction, and those that wait go in order. */
abstract class QueueContract extends RepositoryTest {
    private LaunchDecision launch(String day, int runs, Otherwise otherwise, OptionalLong request) {
        return launch(day, new SlotClaim(new MaxConcurrent(runs, otherwise), "eve", request, false));
    }

    private LaunchDecision launch(String day, SlotClaim claim) {
        return repository.createExecution(limited(day, claim));
    }

    private LaunchRequest limited(String day, SlotClaim claim) {
        var plain = Samples.request("job", Samples.day(day), node, OptionalLong.empty());
        return new LaunchRequest(
                plain.job(),
                plain.parameters(),
                plain.definition(),
                plain.fingerprint(),
                plain.expectedPrevious(),
                plain.node(),
                plain.audit(),
                Optional.of(claim),
                Optional.empty());
    }

    private LaunchDecision.Queued queued(String day) {
        var decision = launch(day, 1, Otherwise.QUEUE, OptionalLong.empty());
        assertThat(decision).isInstanceOf(LaunchDecision.Queued.class);
        return (LaunchDecision.Queued) decision;
    }

    private LaunchDecision claim(QueuedLaunch request, String day) {
        return launch(day, 1, Otherwise.QUEUE, OptionalLong.of(request.id()));
    }

    private void complete(JobExecution execution) {
        become(become(execution, BatchStatus.STARTED), BatchStatus.COMPLETED);
    }

    @Test
    void launch_beyondTheLimit_isRefusedWithThoseThatRun() {
        var one = created(launch("1", 2, Otherwise.REFUSE, OptionalLong.empty()));
        var two = created(launch("2", 2, Otherwise.REFUSE, OptionalLong.empty()));

        var refused = launch("3", 2, Otherwise.REFUSE, OptionalLong.empty());

        assertThat(refused).isInstanceOf(LaunchDecision.LimitReached.class);
        assertThat(((LaunchDecision.LimitReached) refused).running()).containsExactlyInAnyOrder(one, two);
        assertThat(repository.queuedLaunches(Optional.empty(), 10)).isEmpty();
        complete(one);
        created(launch("3", 2, Otherwise.REFUSE, OptionalLong.empty()));
    }

    @Test
    void launch_withoutALimitOfItsOwn_isNotCounted() {
        launch("job", "1");
        launch("other", "1");

        created(launch("2", 2, Otherwise.REFUSE, OptionalLong.empty()));
    }

    @Test
    void launch_beyondTheLimit_waitsWithItsPlace() {
        var running = created(launch("1", 1, Otherwise.QUEUE, OptionalLong.empty()));

        var first = queued("2");
        var second = queued("3");

        assertThat(first.running()).containsExactly(running);
        assertThat(first.ahead()).isEmpty();
        assertThat(second.ahead()).containsExactly(first.request());
        assertThat(second.request().waiter().id()).isEqualTo(node.id());
        assertThat(second.request().actor()).isEqualTo("eve");
        assertThat(second.request().parameters()).isEqualTo(Samples.day("3"));
        assertThat(repository.queuedLaunches(Optional.of(new JobName("job")), 10))
                .containsExactly(first.request(), second.request());
        assertThat(repository.queuedLaunches(Optional.of(new JobName("other")), 10))
                .isEmpty();
        assertThat(repository.queuedLaunches(Optional.empty(), 1)).containsExactly(first.request());
    }

    @Test
    void claim_beforeItsTurn_waitsOn() {
        var running = created(launch("1", 1, Otherwise.QUEUE, OptionalLong.empty()));
        var first = queued("2").request();
        var second = queued("3").request();

        assertThat(claim(first, "2")).isInstanceOf(LaunchDecision.Queued.class);
        complete(running);
        assertThat(claim(second, "3")).isInstanceOf(LaunchDecision.Queued.class);
        assertThat(launch("4", 1, Otherwise.REFUSE, OptionalLong.empty()))
                .as("a new launch does not pass those that wait")
                .isInstanceOf(LaunchDecision.LimitReached.class);

        var execution = created(claim(first, "2"));

        assertThat(execution.parameters()).isEqualTo(Samples.day("2"));
        var started = repository.queuedLaunch(first.id()).orElseThrow();
        assertThat(started.state()).isEqualTo(QueuedLaunch.State.STARTED);
        assertThat(started.execution()).hasValue(execution.id());
        assertThat(repository.queuedLaunches(Optional.empty(), 10)).containsExactly(second);
    }

    @Test
    void claim_aheadOfTheQueue_passesIt() {
        var running = created(launch("1", 1, Otherwise.QUEUE, OptionalLong.empty()));
        queued("2");
        complete(running);

        created(launch("3", new SlotClaim(new MaxConcurrent(1, Otherwise.QUEUE), "eve", OptionalLong.empty(), true)));
    }

    @Test
    void cancelled_isWithdrawnAndGivesItsPlaceUp() {
        var running = created(launch("1", 1, Otherwise.QUEUE, OptionalLong.empty()));
        var first = queued("2").request();
        var second = queued("3").request();

        var cancelled = repository.cancelQueued(first.id(), Samples.AUDIT);

        assertThat(cancelled.state()).isEqualTo(QueuedLaunch.State.CANCELLED);
        assertThat(cancelled.endedBy()).contains("somebody@here: because");
        assertThat(repository.cancelQueued(first.id(), Samples.AUDIT)).isEqualTo(cancelled);
        assertThat(claim(first, "2")).isEqualTo(new LaunchDecision.Withdrawn(cancelled));
        complete(running);
        created(claim(second, "3"));
    }

    @Test
    void cancel_ofWhatStarted_leavesItStarted() {
        var running = created(launch("1", 1, Otherwise.QUEUE, OptionalLong.empty()));
        var request = queued("2").request();
        complete(running);
        created(claim(request, "2"));

        assertThat(repository.cancelQueued(request.id(), Samples.AUDIT).state()).isEqualTo(QueuedLaunch.State.STARTED);
        assertRefused(BatchError.NOT_FOUND, () -> repository.cancelQueued(99_999, Samples.AUDIT));
    }

    @Test
    void launch_ofAnInstanceThatWaits_namesTheRequest() {
        created(launch("1", 1, Otherwise.QUEUE, OptionalLong.empty()));
        var first = queued("2").request();

        assertThat(launch("2", 1, Otherwise.QUEUE, OptionalLong.empty()))
                .isEqualTo(new LaunchDecision.AlreadyQueued(first));
    }

    @Test
    void launch_raceForTheLastSlots_givesNoMoreThanThere() throws Exception {
        var tasks = IntStream.range(0, 8)
                .<Callable<LaunchDecision>>mapToObj(
                        day -> () -> launch("day-" + day, 3, Otherwise.QUEUE, OptionalLong.empty()))
                .toList();

        var decisions = LaunchContract.together(tasks);

        assertThat(decisions)
                .filteredOn(LaunchDecision.Created.class::isInstance)
                .hasSize(3);
        assertThat(decisions)
                .filteredOn(LaunchDecision.Queued.class::isInstance)
                .extracting(
                        decision -> ((LaunchDecision.Queued) decision).ahead().size())
                .containsExactlyInAnyOrderElementsOf(List.of(0, 1, 2, 3, 4));
    }
}
