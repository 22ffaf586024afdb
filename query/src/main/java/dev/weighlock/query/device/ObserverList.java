package dev.weighlock.query.device;

import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.Facts;
import dev.weighlock.query.QueryException;
import dev.weighlock.query.Reason;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Observers of one kind: added, never removed, replaced as a whole so that delivery reads one array and allocates
 * nothing. The lock guards registration only; no callback runs under it.
 */
final class ObserverList<T> {
    private static final Logger LOG = LoggerFactory.getLogger(ObserverList.class);

    private final ReentrantLock registration = new ReentrantLock();
    private final Reason poisonReason;
    private final BiConsumer<T, LedgerTransition> call;
    private volatile Object[] observers = {};
    private boolean poisoned;

    ObserverList(Reason poisonReason, BiConsumer<T, LedgerTransition> call) {
        this.poisonReason = poisonReason;
        this.call = call;
    }

    void add(T observer) {
        inRegistration(() -> {
            Object[] longer = Arrays.copyOf(observers, observers.length + 1);
            longer[longer.length - 1] = observer;
            observers = longer;
        });
    }

    void inRegistration(Runnable change) {
        registration.lock();
        try {
            if (poisoned) {
                throw new QueryException(
                        ErrorCode.INTERNAL,
                        DeviceLedger.OPERATION,
                        "an earlier registration failed; the observers known before it are still called",
                        Facts.of(poisonReason));
            }
            poisoned = true;
            change.run();
            poisoned = false;
        } finally {
            registration.unlock();
        }
    }

    boolean isEmpty() {
        return observers.length == 0;
    }

    @SuppressWarnings("unchecked") // only add() fills the array
    void deliver(LedgerTransition transition) {
        for (Object observer : observers) {
            try {
                call.accept((T) observer, transition);
            } catch (Throwable fault) {
                LOG.warn(
                        "An observer of device {} failed on {} at sequence {}; the mutation stands",
                        transition.snapshot().deviceOrdinal(),
                        transition.kind(),
                        transition.snapshot().sequence(),
                        fault);
            }
        }
    }
}
