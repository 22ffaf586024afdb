package dev.weighlock.batch.repository;

import dev.weighlock.batch.ExecutionContext;
import dev.weighlock.batch.ExitStatus;
import dev.weighlock.batch.FailureSummary;
import dev.weighlock.batch.PartitionStatus;
import dev.weighlock.batch.StepCounts;
import java.util.Optional;

/**
 * The terminal write of one partition by the worker that claimed it.
 *
 * @param counts absolute, not added
 * @param evidence bounded JSON (at most 256 KiB)
 */
public record PartitionChange(
        PartitionStatus status,
        ExitStatus exitStatus,
        StepCounts counts,
        ExecutionContext context,
        Optional<FailureSummary> failure,
        Optional<String> diagnostics,
        Optional<String> evidence) {}
