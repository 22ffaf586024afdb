package dev.weighlock.query.admission;

import dev.weighlock.query.device.LedgerSnapshot;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who is next, and where. Per device there is one order: pools by virtual time, first come first served within. The first
 * of that order that could fit on an idle device is its head; when others have passed it often enough because it does not
 * fit now, room is kept for it. Not thread-safe: the service's mutex guards it.
 */
final class Placement {
    private static final Comparator<LedgerSnapshot> RANK = Comparator.comparingLong(LedgerSnapshot::availableBytes)
            .reversed()
            .thenComparingInt(LedgerSnapshot::active)
            .thenComparingInt(LedgerSnapshot::deviceOrdinal);

    private final List<DeviceSlot> devices;
    private final Collection<Pool> pools;
    private final int maxPasses;

    Placement(List<DeviceSlot> devices, Collection<Pool> pools, int maxPasses) {
        this.devices = devices;
        this.pools = pools;
        this.maxPasses = maxPasses;
    }

    /** A waiter and the device that has room for it. */
    record Choice(Waiter waiter, DeviceSlot device) {}

    @Nullable
    Choice next() {
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
        Waiter kept = keptFor(device, state);
        if (kept != null) {
            return fits(kept, state) ? kept : null;
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

    /** The waiter that room is kept for, after dropping one that cannot use it and adopting one that is owed it. */
    private @Nullable Waiter keptFor(DeviceSlot device, LedgerSnapshot state) {
        Waiter kept = device.keptFor;
        if (kept != null && !(kept.isWaiting() && kept.pool().mayRunMore() && state.canEverFit(kept.cap()))) {
            giveUpRoom(kept);
        }
        if (device.keptFor == null) {
            Waiter head = head(state);
            if (head != null && head.passes >= maxPasses) {
                keepRoom(device, head);
            }
        }
        return device.keptFor;
    }

    private @Nullable Waiter head(LedgerSnapshot state) {
        Waiter head = null;
        for (Pool pool : pools) {
            Waiter found = pool.mayRunMore() ? pool.firstThatCouldFit(state) : null;
            if (found != null && found.precedes(head)) {
                head = found;
            }
        }
        return head;
    }

    private DeviceSlot bestDevice(Waiter waiter) {
        DeviceSlot best = null;
        LedgerSnapshot bestState = null;
        for (DeviceSlot device : devices) {
            LedgerSnapshot state = device.open();
            if (state != null
                    && device.mayAdmit()
                    && (device.keptFor == null || device.keptFor == waiter)
                    && device.hasCapabilitiesOf(waiter.request())
                    && fits(waiter, state)
                    && (bestState == null || RANK.compare(state, bestState) < 0)) {
                best = device;
                bestState = state;
            }
        }
        if (best == null) {
            throw new AssertionError("request " + waiter.id() + " was chosen for a device that has no room");
        }
        return best;
    }

    /** Counts that the waiter, still queued, goes before the device's head; called right before it leaves the queue. */
    void countPass(DeviceSlot device, Waiter waiter) {
        LedgerSnapshot state = device.open();
        if (state == null || device.keptFor == waiter) {
            return;
        }
        Waiter head = head(state);
        if (head != null && head != waiter && head.keptRoom == null) {
            head.passes++;
        }
    }

    void giveUpRoom(Waiter waiter) {
        DeviceSlot device = waiter.keptRoom;
        if (device != null) {
            device.keptFor = null;
            waiter.keptRoom = null;
        }
    }

    /** One request holds room on one device only; the others go on without it. */
    private static void keepRoom(DeviceSlot device, Waiter head) {
        if (head.keptRoom == null) {
            device.keptFor = head;
            head.keptRoom = device;
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

    private static boolean fits(Waiter waiter, LedgerSnapshot state) {
        long bytes = state.capBytes(waiter.cap());
        return bytes > 0 && bytes <= state.availableBytes();
    }
}
