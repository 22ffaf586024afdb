package dev.weighlock.query.admission;

import dev.weighlock.query.device.QueryCap;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Waiters in the order they came, with the least cap of every stretch kept in a tree, so that the first one that fits is
 * found in logarithmic time however long the line. Not thread-safe.
 */
final class WaitLine {
    private static final long EMPTY = Long.MAX_VALUE;
    private static final int FIRST_CAPACITY = 16;

    private @Nullable Waiter[] slots = new Waiter[FIRST_CAPACITY];
    /** {@code least[1]} is the root, the leaves start at {@code slots.length}. */
    private long[] least = emptyTree(FIRST_CAPACITY);

    private int tail;
    private int size;

    int size() {
        return size;
    }

    void add(Waiter waiter) {
        if (tail == slots.length) {
            rebuild(size * 2 > slots.length ? slots.length * 2 : slots.length);
        }
        place(waiter, tail++);
        size++;
    }

    /** Takes the waiter out; false when it is not in this line. */
    boolean remove(Waiter waiter) {
        int slot = waiter.slot;
        if (slot == Waiter.NOWHERE) {
            return false;
        }
        waiter.slot = Waiter.NOWHERE;
        slots[slot] = null;
        set(slot, EMPTY);
        size--;
        return true;
    }

    @Nullable
    Waiter first() {
        return firstUpTo(EMPTY - 1);
    }

    /** The first waiter whose cap is at most this; a default cap counts as zero here. */
    @Nullable
    Waiter firstUpTo(long bytes) {
        if (least[1] > bytes) {
            return null;
        }
        int node = 1;
        while (node < slots.length) {
            node = least[2 * node] <= bytes ? 2 * node : 2 * node + 1;
        }
        return slots[node - slots.length];
    }

    void forEach(Consumer<Waiter> action) {
        for (int slot = 0; slot < tail; slot++) {
            Waiter waiter = slots[slot];
            if (waiter != null) {
                action.accept(waiter);
            }
        }
    }

    private void place(Waiter waiter, int slot) {
        slots[slot] = waiter;
        waiter.slot = slot;
        set(slot, waiter.cap() instanceof QueryCap.Explicit explicit ? explicit.bytes() : 0);
    }

    private void set(int slot, long bytes) {
        int node = slots.length + slot;
        least[node] = bytes;
        for (node /= 2; node >= 1; node /= 2) {
            least[node] = Math.min(least[2 * node], least[2 * node + 1]);
        }
    }

    private void rebuild(int capacity) {
        @Nullable Waiter[] before = slots;
        slots = new Waiter[capacity];
        least = emptyTree(capacity);
        tail = 0;
        for (Waiter waiter : before) {
            if (waiter != null) {
                place(waiter, tail++);
            }
        }
    }

    private static long[] emptyTree(int capacity) {
        long[] tree = new long[2 * capacity];
        Arrays.fill(tree, EMPTY);
        return tree;
    }
}
