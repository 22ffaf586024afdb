package dev.weighlock.batch.partition;

import dev.weighlock.batch.repository.PlannedPartition;
import dev.weighlock.batch.step.StepContext;
import java.util.List;

/**
 * Cuts a step's work into partitions. Its plan is stored whole before any worker starts and used again by every
 * restart; a planner that failed is called again.
 */
@FunctionalInterface
public interface Partitioner {
    /** 0 to 100,000 partitions with unique keys; with none the step completes at once. */
    List<PlannedPartition> plan(StepContext context) throws Exception;
}
