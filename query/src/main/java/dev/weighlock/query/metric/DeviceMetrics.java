package dev.weighlock.query.metric;

import dev.weighlock.query.device.LedgerSnapshot;

/**
 * The gauges of one device, exactly as its ledger's latest transition shows them.
 *
 * @param maxResidentOwnerBytes the largest resident charge of this backend generation
 */
public record DeviceMetrics(
        int deviceOrdinal,
        long ledgerSequence,
        long activeAttempts,
        long liveGrantBytes,
        long residentOwnerBytes,
        long maxResidentOwnerBytes,
        long cacheEvictableBytes,
        long cachePinnedBytes,
        boolean open) {

    static DeviceMetrics empty(int ordinal) {
        return new DeviceMetrics(ordinal, 0, 0, 0, 0, 0, 0, 0, true);
    }

    DeviceMetrics after(LedgerSnapshot snapshot) {
        return new DeviceMetrics(
                deviceOrdinal,
                snapshot.sequence(),
                snapshot.active(),
                snapshot.liveGrantBytes(),
                snapshot.residentOwnerBytes(),
                Math.max(maxResidentOwnerBytes, snapshot.residentOwnerBytes()),
                snapshot.cacheEvictableBytes(),
                snapshot.cachePinnedBytes(),
                snapshot.health().isOpen());
    }
}
