package dev.weighlock.query.admission;

import dev.weighlock.query.device.LedgerSnapshot;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who is next, and where. Per device there is one order: pools by virtual time, first come first served within. The head
 * of a pool on a device is its first waiter that would fit there if no grant were held; when later requests, of any pool,
 * have passed it often enough because it does not fit now, room is kept for it. Not thread-safe: the service's mutex
 * guards it.
 */
final class Placement {
    private final List<DeviceSlot> devices;
    private final Collection<Pool> pools;
    private final int maxPasses;
    private final Insiders insiders;

    Placement(List<DeviceSlot> devices, Collection<Pool> pools, int maxPasses, Insiders insiders) {
        this.devices = devices;
        this.pools = pools;
        this.maxPasses = maxPasses;
        this.insiders = insiders;
    }

    /**
     * Knows who runs inside a grant. Kept room does not hold such a one back: the waiter that room is kept for may need
     * what that grant holds, here or by way of another device, and it is given back only after it.
     */
    @FunctionalInterface
    interface Insiders {
        /** The first waiter that runs inside a grant and fits on the device. */
        @Nullable
        Waiter firstFitting(DeviceSlot device, LedgerSnapshot state);
    }

    /** A waiter and the device that has room for it. */
    record Choice(Waiter waiter, DeviceSlot device) {}

    @Nullable
    Choice next() {
        keepRoom();
        Waiter best = null;
        for (DeviceSlot device : devices) {
            Waiter candidate = candidate(device);
            if (candidate != null && candidate.precedes(best)) {
                best = candidate;
            }
        }
        return best == null ? null : new Choice(best, bestDevice(best));
    }

    /** The waiter that may be admitted on the device now. */
    private @Nullable Waiter candidate(DeviceSlot device) {
        LedgerSnapshot state = device.open();
        if (state == null || !device.mayAdmit()) {
            return null;
        }
        Waiter kept = device.keptFor;
        if (kept != null) {
            return fits(kept, state) ? kept : insiders.firstFitting(device, state);
        }
        Waiter best = null;
        for (Pool pool : pools) {
            Waiter found = pool.mayRunMore() ? pool.firstFitting(state) : null;
            if (found != null && found.precedes(best)) {
                best = found;
            }
        }
        return best;
    }

    /** Takes room from those that cannot use it, then gives every device's to the one it is owed, until nothing moves. */
    private void keepRoom() {
        for (DeviceSlot device : devices) {
            Waiter kept = device.keptFor;
            LedgerSnapshot state = device.open();
            if (kept != null && (state == null || !canUseRoom(kept, state))) {
                giveUpRoomOn(device);
            }
        }
        boolean moved;
        do {
            moved = false;
            for (DeviceSlot device : devices) {
                moved |= adopt(device);
            }
        } while (moved);
    }

    private static boolean canUseRoom(Waiter kept, LedgerSnapshot state) {
        return kept.isWaiting() && kept.pool().mayRunMore() && state.canEverFit(kept.cap());
    }

    /**
     * Keeps the device's room for the one it is owed, true when that is news. One that came earlier takes over: it had no
     * room while its pool was full or its own went to an earlier one, and must not be passed once more.
     */
    private boolean adopt(DeviceSlot device) {
        LedgerSnapshot state = device.open();
        if (state == null || !device.mayAdmit()) {
            return false;
        }
        Waiter owed = owedRoom(state);
        if (owed == null || (device.keptFor != null && !owed.cameBefore(device.keptFor))) {
            return false;
        }
        giveUpRoomOn(device);
        device.keptFor = owed;
        owed.keptRoom = device;
        return true;
    }

    /** Of the pools' heads that were passed often enough the one that came first; each holds room on one device only. */
    private @Nullable Waiter owedRoom(LedgerSnapshot state) {
        Waiter owed = null;
        for (Pool pool : pools) {
            Waiter head = head(pool, state);
            if (head != null
                    && head.passes >= maxPasses
                    && head.keptRoom == null
                    && (owed == null || head.cameBefore(owed))) {
                owed = head;
            }
        }
        return owed;
    }

    /** The pool's first waiter that would fit on the idle device, null when the pool may not run more anyway. */
    private static @Nullable Waiter head(Pool pool, LedgerSnapshot state) {
        return pool.mayRunMore() ? pool.firstThatCouldFit(state) : null;
    }

    private DeviceSlot bestDevice(Waiter waiter) {
        DeviceSlot best = null;
        LedgerSnapshot bestState = null;
        for (DeviceSlot device : devices) {
            LedgerSnapshot state = device.open();
            if (state != null
                    && device.mayAdmit()
                    && isOpenTo(waiter, device, state)
                    && device.hasCapabilitiesOf(waiter.request())
                    && fits(waiter, state)
                    && (bestState == null || ranksBefore(state, bestState))) {
                best = device;
                bestState = state;
            }
        }
        if (best == null) {
            throw new AssertionError("request " + waiter.id() + " was chosen for a device that has no room");
        }
        return best;
    }

    /** Most free bytes, then fewest active, then the lowest ordinal. */
    private static boolean ranksBefore(LedgerSnapshot one, LedgerSnapshot other) {
        if (one.availableBytes() != other.availableBytes()) {
            return one.availableBytes() > other.availableBytes();
        }
        return one.active() != other.active()
                ? one.active() < other.active()
                : one.deviceOrdinal() < other.deviceOrdinal();
    }

    private boolean isOpenTo(Waiter waiter, DeviceSlot device, LedgerSnapshot state) {
        return device.keptFor == null
                || device.keptFor == waiter
                || (waiter.request().parentAttempt() != null && insiders.firstFitting(device, state) == waiter);
    }

    /**
     * The heads that came earlier than the waiter and do not fit now, so that admitting it here passes them. One that goes
     * inside a grant past kept room passes nobody: whoever waits may need what that grant holds.
     */
    List<Waiter> passedBy(Waiter waiter, DeviceSlot device) {
        LedgerSnapshot state = device.open();
        if (state == null || (device.keptFor != null && device.keptFor != waiter)) {
            return List.of();
        }
        List<Waiter> passed = new ArrayList<>();
        for (Pool pool : pools) {
            Waiter head = head(pool, state);
            if (head != null && head.cameBefore(waiter) && head.keptRoom == null && !fits(head, state)) {
                passed.add(head);
            }
        }
        return passed;
    }

    void giveUpRoom(Waiter waiter) {
        DeviceSlot device = waiter.keptRoom;
        if (device != null) {
            giveUpRoomOn(device);
        }
    }

    private static void giveUpRoomOn(DeviceSlot device) {
        Waiter kept = device.keptFor;
        if (kept != null) {
            device.keptFor = null;
            kept.keptRoom = null;
        }
    }

    /** Whether an open device has what the waiter needs and is large enough once residents are gone. */
    boolean hasOpenDevice(Waiter waiter) {
        for (DeviceSlot device : devices) {
            LedgerSnapshot state = device.open();
            if (state != null
                    && device.hasCapabilitiesOf(waiter.request())
                    && state.capBytes(waiter.cap()) <= state.queryShareBytes()) {
                return true;
            }
        }
        return false;
    }

    static boolean fits(Waiter waiter, LedgerSnapshot state) {
        long bytes = state.capBytes(waiter.cap());
        return bytes > 0 && bytes <= state.availableBytes();
    }
}
