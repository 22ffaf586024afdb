package dev.weighlock.batch.repository;

import dev.weighlock.batch.PartitionExecution;
import java.util.List;

/** A partition that ended, and those that were claimed by the same write, in plan order. */
public record PartitionTurn(PartitionExecution ended, List<PartitionExecution> claimed) {
    public PartitionTurn {
        claimed = List.copyOf(claimed);
    }
}
