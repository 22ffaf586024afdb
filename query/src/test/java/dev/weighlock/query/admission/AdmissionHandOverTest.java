package dev.weighlock.query.admission;

import static dev.weighlock.query.admission.AdmissionFixture.error;
import static dev.weighlock.query.testing.TestDevices.ledger;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.query.Reason;
import dev.weighlock.query.device.DeviceLedger;
import dev.weighlock.query.device.Grant;
import dev.weighlock.query.device.LedgerTransition;
import dev.weighlock.query.device.TransitionKind;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A grant that is booked for a waiter who leaves before it gets there. */
@Timeout(300)
class AdmissionHandOverTest {
    private final DeviceLedger device = ledger(0, 100, 4);
    private final AdmissionFixture admission = new AdmissionFixture(device);
    private final AtomicReference<@Nullable Thread> canceller = new AtomicReference<>();

    @Test
    void waiterThatCancels_betweenTheBookingAndTheHandOver_leavesNoBytesBehind() throws Exception {
        Grant running = admission.admitted(100);
        AdmissionTicket waiting = admission.waiting(100);
        device.observeTransitions(transition -> cancelOnce(transition, waiting));

        running.close();
        Objects.requireNonNull(canceller.get(), "no grant was booked for the waiter")
                .join();

        assertThat(error(waiting).facts().has(Reason.CALLER_CANCELLED)).isTrue();
        assertThat(device.snapshot().liveGrantBytes()).isZero();
        assertThat(device.snapshot().active()).isZero();
        admission.admitted(100).close();
    }

    private void cancelOnce(LedgerTransition transition, AdmissionTicket waiting) {
        if (transition.kind() == TransitionKind.GRANT_ADMITTED && canceller.get() == null) {
            canceller.set(Thread.ofPlatform().daemon().start(waiting::cancel));
            while (waiting.outcome().isEmpty() && !Thread.currentThread().isInterrupted()) {
                Thread.onSpinWait();
            }
        }
    }
}
