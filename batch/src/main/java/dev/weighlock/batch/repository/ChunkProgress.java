package dev.weighlock.batch.repository;

import dev.weighlock.batch.ExecutionContext;
import dev.weighlock.batch.StepCounts;

/**
 * How far a chunk step or one partition of it has come: written with every chunk.
 *
 * @param counts absolute, not added
 * @param context with the reader's position and the retry and skip state
 */
public record ChunkProgress(StepCounts counts, ExecutionContext context) {}
