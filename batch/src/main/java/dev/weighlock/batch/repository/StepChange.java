package dev.weighlock.batch.repository;

import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.ExecutionContext;
import dev.weighlock.batch.ExitStatus;
import dev.weighlock.batch.FailureSummary;
import dev.weighlock.batch.StepCounts;
import dev.weighlock.batch.StopTiming;
import java.util.Optional;

/**
 * The terminal write of a step execution by its job's owner.
 *
 * @param counts absolute, not added
 * @param evidence bounded JSON (at most 256 KiB), replacing what is there; empty leaves it
 */
public record StepChange(
        BatchStatus status,
        ExitStatus exitStatus,
        StepCounts counts,
        ExecutionContext context,
        Optional<StopTiming> stopTiming,
        Optional<FailureSummary> failure,
        Optional<String> diagnostics,
        Optional<String> evidence) {}
