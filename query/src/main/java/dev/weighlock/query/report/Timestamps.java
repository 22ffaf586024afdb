package dev.weighlock.query.report;

import org.jspecify.annotations.Nullable;

/** When the attempt crossed each boundary, in nanoseconds of one monotonic clock; absent when it did not. */
public record Timestamps(
        long submitted,
        @Nullable Long planningStarted,
        @Nullable Long planningFinished,
        @Nullable Long admissionRequested,
        @Nullable Long admitted,
        @Nullable Long physicalExecutionStarted,
        @Nullable Long deviceExecutionStarted,
        long outcomeTerminal,
        @Nullable Long cleanupComplete,
        @Nullable Long reportReady) {}
