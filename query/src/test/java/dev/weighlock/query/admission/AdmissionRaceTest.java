package dev.weighlock.query.admission;

import static dev.weighlock.query.admission.AdmissionFixture.bytes;
import static dev.weighlock.query.testing.TestDevices.ledger;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.query.Reason;
import dev.weighlock.query.device.DeviceLedger;
import dev.weighlock.query.device.Grant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Real threads that grant, time out and cancel one waiting request at the same moment, many times. */
@Timeout(300)
class AdmissionRaceTest {
    private static final int ROUNDS = 2_000;

    @Test
    void grantTimeoutAndCancelAtOnce_haveOneWinner_andEveryByteIsWhereItSays() throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(3)) {
            for (int round = 0; round < ROUNDS; round++) {
                race(threads);
            }
        }
    }

    private static void race(ExecutorService threads) throws Exception {
        DeviceLedger device = ledger(0, 100, 4);
        AdmissionFixture admission = new AdmissionFixture(device);
        Grant running = admission.admitted(100);
        AdmissionTicket waiting = admission.waiting(bytes(100).withDeadline(1));
        CyclicBarrier start = new CyclicBarrier(3);

        List<Future<Boolean>> racers = new ArrayList<>();
        racers.add(threads.submit(together(start, waiting::cancel)));
        racers.add(threads.submit(together(start, () -> {
            running.close();
            return true;
        })));
        racers.add(threads.submit(together(start, () -> {
            admission.clock.advance(Duration.ofSeconds(1));
            return admission.service.expireDue() == Long.MAX_VALUE;
        })));
        for (Future<Boolean> racer : racers) {
            var _ = racer.get(300, TimeUnit.SECONDS);
        }

        boolean cancelled = racers.getFirst().get();
        switch (waiting.outcome().orElseThrow()) {
            case AdmissionOutcome.Admitted admitted -> {
                assertThat(cancelled).isFalse();
                assertThat(device.snapshot().liveGrantBytes()).isEqualTo(100);
                admitted.grant().close();
            }
            case AdmissionOutcome.Refused refused -> {
                assertThat(refused.error().facts().has(cancelled ? Reason.CALLER_CANCELLED : Reason.DEADLINE_EXPIRED))
                        .isTrue();
                assertThat(device.snapshot().liveGrantBytes()).isZero();
            }
        }
        assertThat(waiting.stage().toCompletableFuture())
                .isCompletedWithValue(waiting.outcome().orElseThrow());
        admission.service.close();
    }

    private static Callable<Boolean> together(CyclicBarrier start, Callable<Boolean> action) {
        return () -> {
            start.await(60, TimeUnit.SECONDS);
            return action.call();
        };
    }
}
