package dev.weighlock.batch.repository;

import dev.weighlock.batch.PartitionStatus;
import dev.weighlock.batch.StepCounts;
import java.util.Map;

/**
 * All partitions of one step execution in one query.
 *
 * @param byStatus how many stand in each status, carried-over ones included; a status without any is absent
 * @param counts of the partitions that this attempt ran; carried-over ones were counted by the attempt that ran them
 */
public record PartitionTotals(Map<PartitionStatus, Long> byStatus, StepCounts counts) {
    public PartitionTotals {
        byStatus = Map.copyOf(byStatus);
    }

    public long count(PartitionStatus status) {
        return byStatus.getOrDefault(status, 0L);
    }

    public long total() {
        return byStatus.values().stream().mapToLong(Long::longValue).sum();
    }
}
