package dev.weighlock.query.device;

import java.util.List;
import java.util.Set;

/**
 * The immutable figures of one device. {@code M = limit - headroom - reserve}, {@code Q = M - K}. Built and checked by
 * {@link ProfileBuilder}; figures that cannot hold are refused there with the arithmetic.
 */
public final class DeviceProfile {
    /** Device ordinals run from 0 to one below this. */
    public static final int DEVICE_SLOTS = 64;

    private final ProfileBuilder from;
    private final long managedCapacityBytes;
    private final long queryShareBytes;
    private final long defaultQueryLimitBytes;
    private final int auxiliaryLanes;

    DeviceProfile(ProfileBuilder from, long managedCapacityBytes, long defaultQueryLimitBytes, int auxiliaryLanes) {
        this.from = from;
        this.managedCapacityBytes = managedCapacityBytes;
        this.queryShareBytes = managedCapacityBytes - from.cacheCapBytes;
        this.defaultQueryLimitBytes = defaultQueryLimitBytes;
        this.auxiliaryLanes = auxiliaryLanes;
    }

    public static ProfileBuilder device(int ordinal, DeviceKind kind) {
        return new ProfileBuilder(ordinal, kind);
    }

    public int deviceOrdinal() {
        return from.ordinal;
    }

    public String name() {
        return from.name;
    }

    public DeviceKind kind() {
        return from.kind;
    }

    /** What the device may use in all. */
    public long limitBytes() {
        return from.limitBytes;
    }

    /** Where the limit comes from, for people. */
    public String limitSource() {
        return from.limitSource;
    }

    /** Memory nobody accounts for. */
    public long headroomBytes() {
        return from.headroomBytes();
    }

    /** Memory of the planner and of warm instances. */
    public long reserveBytes() {
        return from.reserveBytes;
    }

    /** {@code M}. */
    public long managedCapacityBytes() {
        return managedCapacityBytes;
    }

    /** {@code K}. */
    public long cacheCapBytes() {
        return from.cacheCapBytes;
    }

    /** {@code Q}. */
    public long queryShareBytes() {
        return queryShareBytes;
    }

    public long defaultQueryLimitBytes() {
        return defaultQueryLimitBytes;
    }

    /** The least an explicit cap may be. */
    public long minimumCapBytes() {
        return from.minimumCapBytes;
    }

    public int maxActive() {
        return from.maxActive();
    }

    /** Auxiliary workers one attempt may use. */
    public int sourceWorkPerAttempt() {
        return from.sourceWorkPerAttempt;
    }

    public int rootLanes() {
        return from.maxActive();
    }

    public int auxiliaryLanes() {
        return auxiliaryLanes;
    }

    public Set<String> capabilities() {
        return from.capabilities;
    }

    /** Every derived figure with its derivation, one a line. */
    public List<String> arithmetic() {
        return List.of(
                "limit " + limitBytes() + " bytes (" + limitSource() + ")",
                "managed capacity M = limit - headroom - reserve = " + limitBytes() + " - " + headroomBytes() + " - "
                        + reserveBytes() + " = " + managedCapacityBytes,
                "query share Q = M - cache share K = " + managedCapacityBytes + " - " + cacheCapBytes() + " = "
                        + queryShareBytes,
                "default query limit = "
                        + (from.defaultQueryLimitBytes > 0
                                ? defaultQueryLimitBytes + " (as configured)"
                                : "Q / max active = " + queryShareBytes + " / " + maxActive() + " = "
                                        + defaultQueryLimitBytes),
                "root lanes = max active = " + rootLanes(),
                "auxiliary lanes = min(stream pool, worker capacity) - max active = min(" + from.streamPoolSize()
                        + ", " + from.workerCapacity() + ") - " + maxActive() + " = " + auxiliaryLanes
                        + ", at least max active * source work = " + maxActive() * sourceWorkPerAttempt());
    }

    @Override
    public String toString() {
        return "device " + deviceOrdinal() + " (" + name() + "), Q " + queryShareBytes + " bytes, max active "
                + maxActive();
    }
}
