package dev.weighlock.query.attempt;

import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Where an attempt's one finalizer waits for whoever ends the attempt: the claim of an admission, or the path without
 * one. It leaves once.
 *
 * <p>{@code lock} guards {@code finalizer} and is taken before the attempt lock; only {@link #claim} holds both.
 */
final class FinalizerSlot {
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable AttemptFinalizer finalizer;

    FinalizerSlot(AttemptFinalizer finalizer) {
        this.finalizer = finalizer;
    }

    /** Takes the finalizer for an end without admission. */
    Optional<AttemptFinalizer> tryTake() {
        lock.lock();
        try {
            var taken = Optional.ofNullable(finalizer);
            finalizer = null;
            return taken;
        } finally {
            lock.unlock();
        }
    }

    /** Takes the finalizer as the right to admission; a claim that the lifecycle refuses leaves it where it is. */
    AttemptAdmission claim() {
        lock.lock();
        try {
            var present = finalizer;
            if (present == null) {
                throw AttemptLifecycleException.admissionAlreadyClaimed();
            }
            present.admissionRequested();
            finalizer = null;
            return new AttemptAdmission(present);
        } finally {
            lock.unlock();
        }
    }
}
