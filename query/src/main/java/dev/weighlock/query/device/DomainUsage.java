package dev.weighlock.query.device;

/** One sample of a memory domain; every figure in bytes unless its name says a count. */
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
