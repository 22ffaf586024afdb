package dev.weighlock.query.attempt;

import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Where an attempt's one finalizer waits for whoever ends the attempt: the claim of an admission, or the path without
 * one. It leaves once.
 *
 * <p>The monitor guards {@code finalizer} and is taken before the attempt lock; only {@link #claim} holds both.
 */
final class FinalizerSlot {
    private final ReentrantLock attemptLock;
    private @Nullable AttemptFinalizer finalizer;

    /** @param attemptLock asserted to be free whenever this slot is entered */
    FinalizerSlot(AttemptFinalizer finalizer, ReentrantLock attemptLock) {
        this.finalizer = finalizer;
        this.attemptLock = attemptLock;
    }

    /** Takes the finalizer for an end without admission. */
    Optional<AttemptFinalizer> tryTake() {
        assertOrder();
        synchronized (this) {
            var taken = Optional.ofNullable(finalizer);
            finalizer = null;
            return taken;
        }
    }

    /** Takes the finalizer as the right to admission; a claim that the lifecycle refuses leaves it where it is. */
    AttemptAdmission claim() {
        assertOrder();
        synchronized (this) {
            var present = finalizer;
            if (present == null) {
                throw AttemptLifecycleException.admissionAlreadyClaimed();
            }
            present.admissionRequested();
            finalizer = null;
            return new AttemptAdmission(present);
        }
    }

    private void assertOrder() {
        assert !attemptLock.isHeldByCurrentThread() : "the finalizer slot comes before the attempt lock";
    }
}
