package dev.weighlock.batch.repository;

import dev.weighlock.batch.ExecutionContext;

/**
 * One line of a partition plan.
 *
 * @param key 1 to 128 bytes of UTF-8, unique in the plan byte for byte
 * @param input what the worker gets, at most 4 KiB of JSON
 */
public record PlannedPartition(String key, ExecutionContext input) {}
