package dev.weighlock.batch.step;

import dev.weighlock.batch.ExecutionContext;

/**
 * The partition that code works on.
 *
 * @param ordinal place in the plan, from 0
 * @param key unique in the step
 * @param input what the planner gave it
 * @param claim raised each time a worker takes the partition
 */
public record PartitionScope(int ordinal, String key, ExecutionContext input, long claim) {}
