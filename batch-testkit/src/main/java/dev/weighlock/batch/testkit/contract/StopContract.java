package dev.weighlock.batch.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.StopRequest;
import dev.weighlock.batch.repository.StopDecision;
import java.util.OptionalLong;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Stop requests: stored once, harmless when repeated, pushed to the owner. */
abstract class StopContract extends RepositoryTest {
    private StopDecision request(long execution) {
        return repository.requestStop(execution, OptionalLong.empty(), "somebody@here");
    }

    @Test
    void requestStop_isStoredAndTouchesNeitherVersionNorStatus() {
        var execution = started();

        var decision = request(execution.id());

        assertThat(decision).isInstanceOfSatisfying(StopDecision.Requested.class, requested -> {
            assertThat(requested.execution().version()).isEqualTo(execution.version());
            assertThat(requested.execution().status()).isEqualTo(BatchStatus.STARTED);
            assertThat(requested.execution().stop().request())
                    .contains(new StopRequest(execution.id(), "somebody@here", requested.requestedAt()));
            assertThat(repository.pendingStops())
                    .containsExactly(requested.execution().stop().request().orElseThrow());
        });
        assertThat(become(execution, BatchStatus.STOPPING).stop().request()).isPresent();
    }

    @Test
    void requestStop_repeated_keepsTheFirst() {
        var execution = started();
        var first = request(execution.id());

        var second = repository.requestStop(execution.id(), OptionalLong.empty(), "another@there");

        assertThat(second).isEqualTo(first);
    }

    @Test
    void requestStop_finishedExecution_refusesAndChangesNothing() {
        var finished = become(started(), BatchStatus.STOPPED);

        assertThat(request(finished.id())).isEqualTo(new StopDecision.AlreadyFinished(finished));
        assertThat(repository.execution(finished.id())).contains(finished);
        assertThat(repository.pendingStops()).isEmpty();
    }

    @Test
    void requestStop_staleVersion_changesNothing() {
        var execution = started();

        var decision =
                repository.requestStop(execution.id(), OptionalLong.of(execution.version() - 1), "somebody@here");

        assertThat(decision).isEqualTo(new StopDecision.StaleVersion(execution));
        assertThat(repository.pendingStops()).isEmpty();
        assertThat(repository.requestStop(execution.id(), OptionalLong.of(execution.version()), "somebody@here"))
                .isInstanceOf(StopDecision.Requested.class);
    }

    @Test
    void requestStop_unknownExecution_isNotFound() {
        assertRefused(BatchError.NOT_FOUND, () -> request(4711));
    }

    @Test
    void pendingStops_endWithTheExecution() {
        var execution = started();
        request(execution.id());

        become(become(execution, BatchStatus.STOPPING), BatchStatus.STOPPED);

        assertThat(repository.pendingStops()).isEmpty();
    }

    @Test
    void listener_isToldOfARequest() throws Exception {
        var execution = started();
        var told = new LinkedBlockingQueue<Long>();
        try (var _ = repository.onStopRequested(told::add)) {
            request(execution.id());

            assertThat(told.poll(300, TimeUnit.SECONDS)).isEqualTo(execution.id());
        }
    }

    @Test
    void listener_isToldOfAnEarlierRequest() throws Exception {
        var execution = started();
        request(execution.id());
        var told = new LinkedBlockingQueue<Long>();
        try (var _ = repository.onStopRequested(told::add)) {
            assertThat(told.poll(300, TimeUnit.SECONDS)).isEqualTo(execution.id());
        }
    }
}
