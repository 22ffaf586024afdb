package dev.weighlock.query.metric;

import dev.weighlock.query.device.LedgerSnapshot;

/** The gauges of one device as they change; the store's lock guards them. A transition allocates nothing here. */
final class DeviceGauges {
    private final int deviceOrdinal;
    private long ledgerSequence;
    private long activeAttempts;
    private long liveGrantBytes;
    private long residentOwnerBytes;
    private long maxResidentOwnerBytes;
    private long cacheEvictableBytes;
    private long cachePinnedBytes;
    private boolean open = true;

    DeviceGauges(int deviceOrdinal) {
        this.deviceOrdinal = deviceOrdinal;
    }

    void set(LedgerSnapshot snapshot) {
        ledgerSequence = snapshot.sequence();
        activeAttempts = snapshot.active();
        liveGrantBytes = snapshot.liveGrantBytes();
        residentOwnerBytes = snapshot.residentOwnerBytes();
        maxResidentOwnerBytes = Math.max(maxResidentOwnerBytes, residentOwnerBytes);
        cacheEvictableBytes = snapshot.cacheEvictableBytes();
        cachePinnedBytes = snapshot.cachePinnedBytes();
        open = snapshot.health().isOpen();
    }

    DeviceMetrics snapshot() {
        return new DeviceMetrics(
                deviceOrdinal,
                ledgerSequence,
                activeAttempts,
                liveGrantBytes,
                residentOwnerBytes,
                maxResidentOwnerBytes,
                cacheEvictableBytes,
                cachePinnedBytes,
                open);
    }
}
