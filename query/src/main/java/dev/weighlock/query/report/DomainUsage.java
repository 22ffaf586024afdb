package dev.weighlock.query.report;

/** The last sample of an attempt's memory domain, as the engine's allocator keeps it. */
public record DomainUsage(
        long domainId,
        boolean active,
        long activeMembers,
        long ceilingBytes,
        long allocationLimitBytes,
        long currentBytes,
        long peakBytes,
        long totalBytes,
        long currentAlignedBytes,
        long peakAlignedBytes,
        long totalAllocations,
        long currentAllocations,
        long peakAllocations,
        long failedAllocationCount,
        long largestFailedAllocationBytes) {

    /** Nothing lives in the domain any more. */
    public boolean isZero() {
        return activeMembers == 0 && currentAllocations == 0 && currentBytes == 0 && currentAlignedBytes == 0;
    }
}
