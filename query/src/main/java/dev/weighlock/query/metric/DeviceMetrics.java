package dev.weighlock.query.metric;

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
        boolean open) {}
