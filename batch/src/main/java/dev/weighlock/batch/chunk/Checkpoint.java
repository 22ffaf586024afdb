package dev.weighlock.batch.chunk;

import dev.weighlock.batch.ExecutionContext;
import dev.weighlock.batch.StepCounts;

/**
 * How far a chunk step or one partition of it is committed in its target.
 *
 * @param sequence chunks committed so far over all attempts; tells after a lost answer whether a COMMIT happened
 * @param totals counts over all attempts
 * @param context positions of reader and writer
 */
public record Checkpoint(long epoch, long sequence, StepCounts totals, ExecutionContext context) {}
