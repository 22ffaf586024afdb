package dev.weighlock.query.attempt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weighlock.query.report.Outcome;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The order of the locks, where code can tell: see docs/locks.md. */
class LockOrderTest {
    private final AttemptFixture attempt = new AttemptFixture();
    private final List<String> calledWithTheLockFree = new ArrayList<>();

    @Test
    void finalizerSlot_enteredUnderTheAttemptLock_isAnError() {
        var core = attempt.owner.core;
        core.publication().lock().lock();
        try {
            assertThatThrownBy(() -> core.slot().tryTake()).isInstanceOf(AssertionError.class);
            assertThatThrownBy(() -> core.slot().claim()).isInstanceOf(AssertionError.class);
        } finally {
            core.publication().lock().unlock();
        }
        attempt.owner.close();
    }

    @Test
    void callbacks_runWithTheAttemptLockFree() {
        attempt.owner.registerReportSink(_ -> called("sink"));
        attempt.owner.admissionBinding().registerSealObserver(_ -> called("seal observer"));
        attempt.owner.cancellation().onCancel(() -> called("cancellation listener"));
        var admission = attempt.admitted();
        admission.bindGrantRelease(() -> {
            called("release hook");
            attempt.release(admission, AttemptFixture.RELEASED);
        });
        attempt.owner.cancellation().cancel();
        attempt.owner.commitTerminal(Outcome.CANCELLED);

        assertThat(calledWithTheLockFree)
                .containsExactly("cancellation listener", "release hook", "sink", "seal observer");
    }

    private void called(String callback) {
        var lock = attempt.owner.core.publication().lock();
        if (!lock.isLocked()) {
            calledWithTheLockFree.add(callback);
        }
    }
}
