package dev.weighlock.query.attempt;

import dev.weighlock.query.Deadline;
import dev.weighlock.query.observe.ObservationConfig;
import dev.weighlock.query.report.QueryId;
import dev.weighlock.query.report.TraceContext;
import org.jspecify.annotations.Nullable;

/**
 * What a caller may say when an attempt begins. Correlation values are checked when they are built, never cut.
 *
 * @param deadline one point in time for queueing, planning, execution and fetching together
 */
public record BeginAttempt(
        @Nullable QueryId queryId,
        @Nullable TraceContext traceContext,
        @Nullable Deadline deadline,
        ObservationConfig observation) {
    private static final BeginAttempt STANDARD =
            new BeginAttempt(null, null, null, ObservationConfig.nativeExecution());

    /** No correlation, no deadline, the default observation. */
    public static BeginAttempt standard() {
        return STANDARD;
    }

    public BeginAttempt withQueryId(QueryId newQueryId) {
        return new BeginAttempt(newQueryId, traceContext, deadline, observation);
    }

    public BeginAttempt withTraceContext(TraceContext newTraceContext) {
        return new BeginAttempt(queryId, newTraceContext, deadline, observation);
    }

    public BeginAttempt withDeadline(Deadline newDeadline) {
        return new BeginAttempt(queryId, traceContext, newDeadline, observation);
    }

    public BeginAttempt withObservation(ObservationConfig newObservation) {
        return new BeginAttempt(queryId, traceContext, deadline, newObservation);
    }
}
