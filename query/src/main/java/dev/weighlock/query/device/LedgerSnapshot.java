package dev.weighlock.query.device;

import java.util.OptionalLong;

/** One ledger at one sequence, read in one lock hold. Two snapshots with the same sequence show the same state. */
public record LedgerSnapshot(
        DeviceProfile profile,
        long sequence,
        int active,
        long liveGrantBytes,
        long frozenResidentBytes,
        long residentOwnerBytes,
        long cacheEvictableBytes,
        long cachePinnedBytes,
        DeviceHealth health) {

    public int deviceOrdinal() {
        return profile.deviceOrdinal();
    }

    public long managedCapacityBytes() {
        return profile.managedCapacityBytes();
    }

    public long cacheCapBytes() {
        return profile.cacheCapBytes();
    }

    public long queryShareBytes() {
        return profile.queryShareBytes();
    }

    public long defaultQueryLimitBytes() {
        return profile.defaultQueryLimitBytes();
    }

    public int maxActive() {
        return profile.maxActive();
    }

    /** {@code Q - R}: what all grants together may ever use while these residents stay. */
    public long residentCapacityBytes() {
        return queryShareBytes() - frozenResidentBytes;
    }

    /** {@code Q - R - sum of G}: what a new grant may use now. */
    public long availableBytes() {
        return residentCapacityBytes() - liveGrantBytes;
    }

    public int rootStreamsAvailable() {
        return Math.max(0, profile.rootLanes() - active);
    }

    public int rootWorkerSlotsAvailable() {
        return rootStreamsAvailable();
    }

    public int auxiliaryStreamsAvailable() {
        return Math.max(0, profile.auxiliaryLanes() - active * profile.sourceWorkPerAttempt());
    }

    public int auxiliaryWorkerSlotsAvailable() {
        return auxiliaryStreamsAvailable();
    }

    /** Worker slots that the active attempts hold: one root and the source work of each. */
    public int workerDepth() {
        return active * (1 + profile.sourceWorkPerAttempt());
    }

    /** What the cap comes to at this sequence; 0 when the default finds no room beside the residents. */
    public long capBytes(QueryCap cap) {
        return switch (cap) {
            case QueryCap.Explicit explicit -> explicit.bytes();
            case QueryCap.Default _ -> Math.min(defaultQueryLimitBytes(), residentCapacityBytes());
        };
    }

    /** The bytes a grant would get now, empty when slots or room are missing. Health is not asked. */
    public OptionalLong admissibleCapBytes(QueryCap cap) {
        long bytes = capBytes(cap);
        boolean fits = active < maxActive() && bytes > 0 && bytes <= availableBytes();
        return fits ? OptionalLong.of(bytes) : OptionalLong.empty();
    }

    /** Whether the cap fits beside this moment's residents once every active attempt is gone. */
    public boolean canEverFit(QueryCap cap) {
        long bytes = capBytes(cap);
        return bytes > 0 && bytes <= residentCapacityBytes();
    }
}
