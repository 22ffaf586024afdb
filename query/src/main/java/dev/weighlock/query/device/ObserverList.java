package dev.weighlock.query.device;

import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.Facts;
import dev.weighlock.query.QueryException;
import dev.weighlock.query.Reason;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Observers of one kind: added, never removed, replaced as a whole so that delivery reads one array and allocates
 * nothing. The lock guards registration only; no callback runs under it.
 */
abstract class ObserverList<T> {
    private static final Logger LOG = LoggerFactory.getLogger(ObserverList.class);

    private final ReentrantLock registration = new ReentrantLock();
    private final Reason poisonReason;
    private volatile T[] observers;
    private boolean poisoned;

    private ObserverList(Reason poisonReason, T[] none) {
        this.poisonReason = poisonReason;
        this.observers = none;
    }

    /** The list that is told under the ledger's lock. */
    static final class OfTransitions extends ObserverList<TransitionObserver> {
        OfTransitions() {
            super(Reason.TRANSITION_OBSERVER_MUTEX_POISONED, new TransitionObserver[0]);
        }

        @Override
        void tell(TransitionObserver observer, LedgerTransition transition) {
            observer.observe(transition);
        }
    }

    /** The list that is told after it. */
    static final class OfAdmission extends ObserverList<AdmissionObserver> {
        OfAdmission() {
            super(Reason.ADMISSION_OBSERVER_MUTEX_POISONED, new AdmissionObserver[0]);
        }

        @Override
        void tell(AdmissionObserver observer, LedgerTransition transition) {
            observer.admissionMayChange(transition);
        }
    }

    abstract void tell(T observer, LedgerTransition transition);

    void add(T observer) {
        inRegistration(() -> {
            T[] longer = Arrays.copyOf(observers, observers.length + 1);
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

    void deliver(LedgerTransition transition) {
        for (T observer : observers) {
            try {
                tell(observer, transition);
            } catch (Throwable fault) {
                failed(transition, fault);
            }
        }
    }

    private static void failed(LedgerTransition transition, Throwable fault) {
        LOG.warn(
                "An observer of device {} failed on {} at sequence {}; the mutation stands",
                transition.snapshot().deviceOrdinal(),
                transition.kind(),
                transition.snapshot().sequence(),
                fault);
    }
}
