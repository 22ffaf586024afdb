package dev.weighlock.query.report;

/**
 * The first of an attempt's cleanup failures.
 *
 * @param complete false when others followed that are only counted
 */
public record CleanupFailure(CleanupPhase phase, FailureSummary failure, boolean complete) {}
