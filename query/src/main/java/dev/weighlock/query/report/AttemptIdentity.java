package dev.weighlock.query.report;

import dev.weighlock.query.AttemptId;
import org.jspecify.annotations.Nullable;

/**
 * Which attempt a report is about.
 *
 * @param engine the name of the backend's engine
 */
public record AttemptIdentity(
        AttemptId attemptId,
        @Nullable QueryId queryId,
        @Nullable TraceContext traceContext,
        String engine) {}
