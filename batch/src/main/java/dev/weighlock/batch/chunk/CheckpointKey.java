package dev.weighlock.batch.chunk;

import dev.weighlock.batch.StepName;
import java.util.UUID;

/**
 * Whose checkpoint it is in a target that many repositories share.
 *
 * @param partition its key; empty in a step without partitions
 */
public record CheckpointKey(UUID repositoryId, long instanceId, StepName step, String partition) {}
