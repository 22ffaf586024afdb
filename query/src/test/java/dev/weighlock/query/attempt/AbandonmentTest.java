package dev.weighlock.query.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.query.report.AttemptReport;
import dev.weighlock.query.report.Outcome;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Who receives a report, and what becomes of one that nobody receives. */
class AbandonmentTest {
    @Test
    void noReceiver_pushesOnceAndAFullQueueOverflows() {
        var queue = new AbandonedReports(1);
        var first = new AttemptFixture(queue);
        first.factory.completion().close();
        first.owner.commitTerminal(Outcome.SUCCEEDED);
        assertThat(first.counters()).isEqualTo(new AttemptCounters.Snapshot(1, 1, 1, 0));
        assertThat(queue.drain(8)).extracting(AttemptReport::outcome).containsExactly(Outcome.SUCCEEDED);

        var second = new AttemptFixture(queue);
        second.owner.commitTerminal(Outcome.DROPPED);
        assertThat(second.counters().completionQueuePushed()).isEqualTo(1);
        var third = new AttemptFixture(queue);
        third.owner.commitTerminal(Outcome.DROPPED);
        assertThat(third.counters().completionQueueOverflowed()).isEqualTo(1);

        assertThat(queue.drain(8)).extracting(AttemptReport::attemptId).containsExactly(second.owner.attemptId());
    }

    @Test
    void contendedPush_waitsForTheLockAndThenSucceeds() throws Exception {
        var queue = new AbandonedReports(4);
        var attempt = new AttemptFixture(queue);
        attempt.owner.commitTerminal(Outcome.SUCCEEDED);
        var report = queue.drain(8).getFirst();

        CompletableFuture<Boolean> push;
        queue.lock().lock();
        try {
            push = CompletableFuture.supplyAsync(() -> queue.tryPush(report));
            while (!queue.lock().hasQueuedThreads()) {
                Thread.onSpinWait();
            }
            assertThat(push).isNotDone();
        } finally {
            queue.lock().unlock();
        }
        assertThat(push.get(30, TimeUnit.SECONDS)).isTrue();
        assertThat(queue.drain(8)).hasSize(1);
    }

    @Test
    void heldReceiver_keepsTheQueueEmpty() {
        var queue = new AbandonedReports(4);
        var attempt = new AttemptFixture(queue);
        try (var held = attempt.factory.completion()) {
            attempt.owner.commitTerminal(Outcome.SUCCEEDED);
            assertThat(attempt.counters().completionQueuePushed()).isZero();
            assertThat(queue.drain(4)).isEmpty();
            assertThat(held.poll()).isPresent();
        }
    }

    @Test
    void lastReceiver_closedBeforePublication_queuesExactlyOnce() throws Exception {
        for (var round = 0; round < 64; round++) {
            var queue = new AbandonedReports(4);
            var attempt = new AttemptFixture(queue);
            var completion = attempt.factory.completion();
            var mayPublish = new CompletableFuture<Boolean>();
            var publisher = mayPublish.thenAcceptAsync(_ -> attempt.owner.commitTerminal(Outcome.SUCCEEDED));
            completion.close();
            mayPublish.complete(true);
            publisher.get(30, TimeUnit.SECONDS);
            assertThat(queue.drain(4)).hasSize(1);
        }
    }

    @Test
    void receiver_mintedDuringPublication_alwaysReadsTheReport() throws Exception {
        for (var round = 0; round < 64; round++) {
            var attempt = new AttemptFixture(new AbandonedReports(4));
            var mint = CompletableFuture.supplyAsync(attempt.factory::completion);
            attempt.owner.commitTerminal(Outcome.SUCCEEDED);
            try (var receiver = mint.get(30, TimeUnit.SECONDS)) {
                assertThat(receiver.await(Duration.ofSeconds(30)))
                        .hasValueSatisfying(
                                report -> assertThat(report.outcome()).isEqualTo(Outcome.SUCCEEDED));
            }
        }
    }

    @Test
    void stage_countsAsAReceiverAndCompletesAfterThePermitIsBack() throws Exception {
        var queue = new AbandonedReports(4);
        var attempt = new AttemptFixture(queue);
        var permits = attempt.factory
                .stage()
                .thenApply(report -> attempt.lifecycle.snapshot().activeObservationPermits());
        attempt.owner.commitTerminal(Outcome.SUCCEEDED);
        assertThat(permits.toCompletableFuture().get(30, TimeUnit.SECONDS)).isZero();
        assertThat(queue.drain(4)).isEmpty();
        assertThat(attempt.factory.stage().toCompletableFuture()).isCompleted();
    }

    @Test
    void forgottenReceiver_isClosedWhenCollected() {
        var queue = new AbandonedReports(4);
        var attempt = new AttemptFixture(queue);
        forgetReceiver(attempt);
        for (var i = 0; i < 1000 && !onlyThePermitIsOpen(attempt); i++) {
            System.gc();
            Thread.onSpinWait();
        }
        assertThat(onlyThePermitIsOpen(attempt)).isTrue();
        attempt.owner.commitTerminal(Outcome.SUCCEEDED);
        assertThat(queue.drain(4)).hasSize(1);
    }

    private static void forgetReceiver(AttemptFixture attempt) {
        assertThat(attempt.factory.completion().poll()).isEmpty();
    }

    private static boolean onlyThePermitIsOpen(AttemptFixture attempt) {
        return attempt.lifecycle.openHandles().open().size() == 1;
    }
}
