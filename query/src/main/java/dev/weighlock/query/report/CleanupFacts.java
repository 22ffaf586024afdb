package dev.weighlock.query.report;

import org.jspecify.annotations.Nullable;

/**
 * The account of an attempt's cleanup.
 *
 * @param failureCountComplete whether {@code failureCount} is exact; else it is a lower bound
 */
public record CleanupFacts(
        CleanupDisposition disposition,
        long failureCount,
        boolean failureCountComplete,
        @Nullable CleanupFailure firstFailure) {}
