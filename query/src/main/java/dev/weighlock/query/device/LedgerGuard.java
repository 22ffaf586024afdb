package dev.weighlock.query.device;

import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.FactKey;
import dev.weighlock.query.Facts;
import dev.weighlock.query.QueryException;
import dev.weighlock.query.Reason;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The one lock of a ledger with its rules: no re-entry from an observer, other ledgers only upwards, and poison. A
 * {@link QueryException} leaving a critical section is a refusal made before any change; any other throw poisons, and
 * from then on only releases pass.
 */
final class LedgerGuard {
    private final ReentrantLock lock = new ReentrantLock();
    private final int ordinal;
    private final Runnable whenPoisoned;
    private boolean poisoned;
    /** Poisoned in this hold of the lock, and nobody knows yet. */
    private boolean newlyPoisoned;
    /** The holder's own, from the moment it has the lock until it gives it back. */
    private @Nullable HeldLedgers holder;

    /** @param whenPoisoned runs once, when the thread that poisoned the ledger holds no ledger any more */
    LedgerGuard(int ordinal, Runnable whenPoisoned) {
        this.ordinal = ordinal;
        this.whenPoisoned = whenPoisoned;
    }

    /** Runs the body under the lock unless the ledger is poisoned. */
    <T extends @Nullable Object> T decide(String action, Supplier<T> body) {
        enter(action);
        try {
            refusePoisoned(action);
            return body.get();
        } catch (QueryException refusal) {
            throw refusal;
        } catch (Throwable fault) {
            poison();
            throw fault;
        } finally {
            exit();
        }
    }

    /** Runs the body under the lock, poisoned or not: the books are plain counts, and a lost release never comes back. */
    <T extends @Nullable Object> T release(String action, Supplier<T> body) {
        enter(action);
        try {
            return body.get();
        } catch (Throwable fault) {
            poison();
            throw fault;
        } finally {
            exit();
        }
    }

    /**
     * Throws where taking the lock would: before a caller gives up something it could not get back.
     *
     * @return what this thread holds, for {@link #enter(HeldLedgers)}
     */
    HeldLedgers refuseReentry(String action) {
        if (lock.isHeldByCurrentThread()) {
            throw reentry(action, "an observer of the ledger called it again");
        }
        HeldLedgers held = HeldLedgers.current();
        if (held.highest() >= ordinal) {
            throw reentry(action, "an observer may act on other ledgers only towards a higher ordinal");
        }
        return held;
    }

    boolean isHeldByCurrentThread() {
        return lock.isHeldByCurrentThread();
    }

    /** Takes the lock, poisoned or not; {@link #exit} follows in a finally block. */
    void enter(String action) {
        enter(refuseReentry(action));
    }

    /** As {@link #enter(String)}, where this thread was just found not to re-enter. */
    void enter(HeldLedgers held) {
        lock.lock();
        holder = held;
    }

    void exit() {
        HeldLedgers held = holder();
        boolean tell = newlyPoisoned;
        newlyPoisoned = false;
        holder = null;
        lock.unlock();
        if (tell) {
            held.afterLocks(whenPoisoned);
        }
        held.unlocked();
    }

    /** Only under the lock: what the holder's thread holds. */
    HeldLedgers holder() {
        return Objects.requireNonNull(holder, "the ledger's lock is not held");
    }

    /** Only under the lock: from now on the ledger only releases. */
    void poison() {
        newlyPoisoned |= !poisoned;
        poisoned = true;
    }

    /** As {@link #poison}, where telling is the caller's. */
    void poisonUntold() {
        poisoned = true;
    }

    /** Only under the lock. */
    void refusePoisoned(String action) {
        if (poisoned) {
            throw new QueryException(
                    ErrorCode.INTERNAL,
                    DeviceLedger.OPERATION,
                    "the ledger of device " + ordinal + " failed inside a critical section and only releases now",
                    Facts.of(Reason.LEDGER_MUTEX_POISONED).with(FactKey.ACTION, action));
        }
    }

    private QueryException reentry(String action, String message) {
        return new QueryException(
                ErrorCode.INTERNAL,
                DeviceLedger.OPERATION,
                message,
                Facts.of(Reason.LEDGER_OBSERVER_REENTRANCY)
                        .with(FactKey.ACTION, action)
                        .with(FactKey.DEVICE_ORDINAL, ordinal));
    }
}
