package dev.weighlock.query.device;

import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.FactKey;
import dev.weighlock.query.Facts;
import dev.weighlock.query.QueryException;
import java.util.Locale;
import java.util.Set;

/** Collects the inputs of a {@link DeviceProfile}. Not thread-safe; {@link #resolve} leaves it reusable. */
public final class ProfileBuilder {
    private static final long MIB = 1L << 20;
    private static final long DERIVE = Long.MIN_VALUE;
    private static final int DERIVE_LANES = Integer.MIN_VALUE;

    final int ordinal;
    final DeviceKind kind;
    String name;
    long limitBytes;
    String limitSource = "as configured";
    long reserveBytes = 256 * MIB;
    long cacheCapBytes;
    long defaultQueryLimitBytes = DERIVE;
    long minimumCapBytes = 32 * MIB;
    int sourceWorkPerAttempt;
    Set<String> capabilities = Set.of();
    private long headroomBytes = DERIVE;
    private int streamPoolSize = DERIVE_LANES;
    private int workerCapacity = DERIVE_LANES;
    private int maxActive = DERIVE_LANES;

    ProfileBuilder(int ordinal, DeviceKind kind) {
        this.ordinal = ordinal;
        this.kind = kind;
        this.name = kind.name().toLowerCase(Locale.ROOT) + "-" + ordinal;
    }

    private ProfileBuilder(ProfileBuilder other) {
        ordinal = other.ordinal;
        kind = other.kind;
        name = other.name;
        limitBytes = other.limitBytes;
        limitSource = other.limitSource;
        reserveBytes = other.reserveBytes;
        cacheCapBytes = other.cacheCapBytes;
        defaultQueryLimitBytes = other.defaultQueryLimitBytes;
        minimumCapBytes = other.minimumCapBytes;
        maxActive = other.maxActive();
        sourceWorkPerAttempt = other.sourceWorkPerAttempt;
        capabilities = Set.copyOf(other.capabilities);
        headroomBytes = other.headroomBytes;
        streamPoolSize = other.streamPoolSize;
        workerCapacity = other.workerCapacity;
    }

    public ProfileBuilder name(String text) {
        name = text;
        return this;
    }

    public ProfileBuilder limit(long bytes, String source) {
        limitBytes = bytes;
        limitSource = source;
        return this;
    }

    /** The limit that a process has claimed of the host's memory. */
    public ProfileBuilder limit(HostShare share) {
        return limit(share.limitBytes(), share.source());
    }

    /** Default: a tenth of the limit. */
    public ProfileBuilder headroom(long bytes) {
        headroomBytes = bytes;
        return this;
    }

    public ProfileBuilder reserve(long bytes) {
        reserveBytes = bytes;
        return this;
    }

    public ProfileBuilder cacheCap(long bytes) {
        cacheCapBytes = bytes;
        return this;
    }

    /** Default: the query share divided by max active. */
    public ProfileBuilder defaultQueryLimit(long bytes) {
        defaultQueryLimitBytes = bytes;
        return this;
    }

    public ProfileBuilder minimumCap(long bytes) {
        minimumCapBytes = bytes;
        return this;
    }

    /** Default: as many as processors, fewer where each would get less than the least cap. */
    public ProfileBuilder maxActive(int attempts) {
        maxActive = attempts;
        return this;
    }

    public ProfileBuilder sourceWork(int workersPerAttempt) {
        sourceWorkPerAttempt = workersPerAttempt;
        return this;
    }

    /** Default: just enough for max active attempts with their source work. */
    public ProfileBuilder lanes(int streams, int workers) {
        streamPoolSize = streams;
        workerCapacity = workers;
        return this;
    }

    public ProfileBuilder capabilities(Set<String> names) {
        capabilities = Set.copyOf(names);
        return this;
    }

    long headroomBytes() {
        return headroomBytes == DERIVE ? limitBytes / 10 : headroomBytes;
    }

    int streamPoolSize() {
        return streamPoolSize == DERIVE_LANES ? neededLanes() : streamPoolSize;
    }

    int workerCapacity() {
        return workerCapacity == DERIVE_LANES ? neededLanes() : workerCapacity;
    }

    private int neededLanes() {
        return Math.addExact(maxActive(), Math.multiplyExact(maxActive(), sourceWorkPerAttempt));
    }

    int maxActive() {
        if (maxActive != DERIVE_LANES) {
            return maxActive;
        }
        long share = limitBytes - headroomBytes() - reserveBytes - cacheCapBytes;
        return Math.clamp(
                share / Math.max(1, minimumCapBytes), 1, Runtime.getRuntime().availableProcessors());
    }

    /** The smallest limit with which the other figures hold. */
    public long leastLimitBytes() {
        int slots = maxActive == DERIVE_LANES ? 1 : maxActive;
        long share =
                defaultQueryLimitBytes == DERIVE ? Math.multiplyExact(slots, minimumCapBytes) : defaultQueryLimitBytes;
        long managed = Math.addExact(Math.addExact(share, cacheCapBytes), reserveBytes);
        return headroomBytes == DERIVE
                ? Math.addExact(managed, (managed - 1) / 9)
                : Math.addExact(managed, headroomBytes);
    }

    /**
     * The checked profile.
     *
     * @throws QueryException {@code INVALID_CONFIGURATION} with the arithmetic when the figures cannot hold
     */
    public DeviceProfile resolve() {
        require(ordinal >= 0 && ordinal < DeviceProfile.DEVICE_SLOTS, "the ordinal must lie in 0..63");
        requireInputs();
        long managed = limitBytes - headroomBytes() - reserveBytes;
        require(
                managed > 0,
                "M = limit " + limitBytes + " (" + limitSource + ") - headroom " + headroomBytes() + " - reserve "
                        + reserveBytes + " = " + managed + " leaves nothing");
        long share = managed - cacheCapBytes;
        require(share > 0, "Q = M " + managed + " - K " + cacheCapBytes + " = " + share + " leaves nothing to queries");
        long limit = defaultQueryLimitBytes == DERIVE ? share / maxActive() : defaultQueryLimitBytes;
        requireDefaultLimit(limit, share);
        return new DeviceProfile(new ProfileBuilder(this), managed, limit, auxiliaryLanes());
    }

    private void requireInputs() {
        require(limitBytes > 0, "the limit must be positive: " + limitBytes + " (" + limitSource + ")");
        require(
                headroomBytes() >= 0 && reserveBytes >= 0 && cacheCapBytes >= 0,
                "headroom " + headroomBytes() + ", reserve " + reserveBytes + " and cache share " + cacheCapBytes
                        + " must not be negative");
        require(
                headroomBytes() <= limitBytes && reserveBytes <= limitBytes && cacheCapBytes <= limitBytes,
                "headroom " + headroomBytes() + ", reserve " + reserveBytes + " and cache share " + cacheCapBytes
                        + " must each lie within the limit " + limitBytes + " (" + limitSource + ")");
        require(maxActive() > 0, "max active must be positive: " + maxActive());
        require(sourceWorkPerAttempt >= 0, "source work must not be negative: " + sourceWorkPerAttempt);
        require(minimumCapBytes > 0, "the least cap must be positive: " + minimumCapBytes);
    }

    private void requireDefaultLimit(long limit, long share) {
        String shown = defaultQueryLimitBytes == DERIVE
                ? "default query limit = Q " + share + " / max active " + maxActive() + " = " + limit
                : "default query limit " + limit;
        require(limit >= minimumCapBytes, shown + " is below the least cap " + minimumCapBytes);
        require(limit <= share, shown + " is above the query share Q = " + share);
    }

    private int auxiliaryLanes() {
        long needed = (long) maxActive() * sourceWorkPerAttempt;
        require(needed + maxActive() <= Integer.MAX_VALUE, "max active * (1 + source work) is too large");
        int auxiliary = Math.min(streamPoolSize(), workerCapacity()) - maxActive();
        require(
                auxiliary >= needed,
                "auxiliary lanes = min(stream pool " + streamPoolSize() + ", worker capacity " + workerCapacity()
                        + ") - max active " + maxActive() + " = " + auxiliary + " are fewer than max active "
                        + maxActive()
                        + " * source work " + sourceWorkPerAttempt + " = " + needed);
        return auxiliary;
    }

    private void require(boolean holds, String arithmetic) {
        if (!holds) {
            throw new QueryException(
                    ErrorCode.INVALID_CONFIGURATION,
                    "device_profile",
                    "device " + ordinal + " (" + name + ") cannot hold: " + arithmetic,
                    Facts.of(FactKey.DEVICE_ORDINAL, ordinal));
        }
    }
}
