package dev.weighlock.query.device;

import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * The ledgers whose lock the current thread holds while it runs their observers, reduced to the highest ordinal: nested
 * ones must climb, so two threads can never wait for each other, and the nesting is bounded by the number of slots. What
 * must run without any ledger lock is put off until the outermost one is free. One object per thread.
 */
final class HeldLedgers {
    static final int NONE = -1;
    private static final ThreadLocal<HeldLedgers> CURRENT = ThreadLocal.withInitial(HeldLedgers::new);

    private int highest = NONE;
    private @Nullable Queue<Runnable> deferred;

    static HeldLedgers current() {
        return CURRENT.get();
    }

    int highest() {
        return highest;
    }

    /** Enters a ledger's dispatch; the result goes to {@link #leave}. */
    int enter(int ordinal) {
        int outer = highest;
        highest = ordinal;
        return outer;
    }

    void leave(int outer) {
        highest = outer;
    }

    /** Runs the effect now when no ledger is held, else after the outermost unlock. */
    void afterLocks(Runnable effect) {
        if (highest == NONE) {
            effect.run();
            return;
        }
        if (deferred == null) {
            deferred = new ArrayDeque<>();
        }
        deferred.add(effect);
    }

    /** Called after every unlock. */
    void unlocked() {
        Queue<Runnable> effects = deferred;
        if (effects == null || highest != NONE) {
            return;
        }
        for (Runnable effect = effects.poll(); effect != null; effect = effects.poll()) {
            effect.run();
        }
    }
}
