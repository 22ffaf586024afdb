package dev.weighlock.query.admission;

import dev.weighlock.query.device.DeviceProfile;
import dev.weighlock.query.device.LedgerSnapshot;
import dev.weighlock.query.device.QueryCap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One pool: its lines of waiters, what it runs, and its virtual time, which grows by what it uses divided by its weight.
 * The pool furthest behind goes first. Not thread-safe: the service's mutex guards it.
 */
final class Pool {
    private static final double MIB = 1 << 20;
    private static final double SECOND = 1e9;
    private static final double LEAST_HOLD_SECONDS = 1e-6;
    private static final double SMOOTHING = 0.2;

    private final PoolConfig config;
    private final Map<LineKey, WaitLine> lines = new LinkedHashMap<>();
    private int queued;
    private int running;
    private double virtualTime;
    /** The part of the virtual time that running grants are charged with and that is corrected at their release. */
    private double charged;

    private double expectedHoldSeconds = 1;
    private boolean measured;

    Pool(PoolConfig config) {
        this.config = config;
    }

    /** Waiters that need the same of a device; default caps differ by device, so they stand in lines of their own. */
    private record LineKey(Set<String> capabilities, boolean byDefault) {
        boolean mayUse(DeviceProfile profile) {
            return profile.capabilities().containsAll(capabilities);
        }
    }

    PoolConfig config() {
        return config;
    }

    int queued() {
        return queued;
    }

    int running() {
        return running;
    }

    boolean isBusy() {
        return queued > 0 || running > 0;
    }

    boolean mayRunMore() {
        return running < config.maxRunning();
    }

    double virtualTime() {
        return virtualTime;
    }

    /** The virtual time of what was used and is over. */
    double settledTime() {
        return virtualTime - charged;
    }

    /** Queues the waiter; a pool that was idle starts at the present, it has saved nothing up. */
    void add(Waiter waiter, double now) {
        if (queued == 0) {
            virtualTime += Math.max(0, now - settledTime());
        }
        lines.computeIfAbsent(keyOf(waiter), _ -> new WaitLine()).add(waiter);
        queued++;
    }

    boolean remove(Waiter waiter) {
        LineKey key = keyOf(waiter);
        WaitLine line = lines.get(key);
        if (line == null || !line.remove(waiter)) {
            return false;
        }
        queued--;
        if (line.size() == 0) {
            lines.remove(key);
        }
        return true;
    }

    /** The first waiter of the pool that would fit on the device now. */
    @Nullable
    Waiter firstFitting(LedgerSnapshot device) {
        return first(device, device.availableBytes());
    }

    /** The first waiter of the pool that would fit on the device if no grant were held. */
    @Nullable
    Waiter firstThatCouldFit(LedgerSnapshot device) {
        return first(device, device.residentCapacityBytes());
    }

    private @Nullable Waiter first(LedgerSnapshot device, long roomBytes) {
        Waiter best = null;
        for (Map.Entry<LineKey, WaitLine> line : lines.entrySet()) {
            if (line.getKey().mayUse(device.profile())) {
                Waiter found = firstOf(line.getKey(), line.getValue(), device, roomBytes);
                if (found != null && found.precedes(best)) {
                    best = found;
                }
            }
        }
        return best;
    }

    private static @Nullable Waiter firstOf(LineKey key, WaitLine line, LedgerSnapshot device, long roomBytes) {
        if (!key.byDefault()) {
            return line.firstUpTo(roomBytes);
        }
        long bytes = device.capBytes(QueryCap.DEFAULT);
        return bytes > 0 && bytes <= roomBytes ? line.first() : null;
    }

    void forEachWaiter(Consumer<Waiter> action) {
        lines.values().forEach(line -> line.forEach(action));
    }

    /** Charges an admission with what it is expected to use; the result goes to {@link #settle}. */
    double charge(long bytes) {
        running++;
        double cost = cost(bytes, expectedHoldSeconds);
        virtualTime += cost;
        charged += cost;
        return cost;
    }

    /** Replaces the charge by what was used. */
    void settle(double charge, long bytes, long heldNanos) {
        running--;
        charged = running == 0 ? 0 : charged - charge;
        double held = Math.max(heldNanos / SECOND, LEAST_HOLD_SECONDS);
        virtualTime += cost(bytes, held) - charge;
        expectedHoldSeconds = measured ? expectedHoldSeconds + SMOOTHING * (held - expectedHoldSeconds) : held;
        measured = true;
    }

    private double cost(long bytes, double seconds) {
        return bytes / MIB * seconds / config.weight();
    }

    private static LineKey keyOf(Waiter waiter) {
        return new LineKey(waiter.request().capabilities(), waiter.cap() instanceof QueryCap.Default);
    }
}
