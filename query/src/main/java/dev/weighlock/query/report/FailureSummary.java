package dev.weighlock.query.report;

import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.ErrorStatus;
import dev.weighlock.query.QueryException;
import dev.weighlock.query.Reason;
import dev.weighlock.query.ReportOperation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The bounded, stable account of one failure. Nothing in it comes from an exception's text or from a caller's data.
 *
 * @param text a fixed sentence of the runtime, when it has one
 */
public record FailureSummary(
        ErrorCode code,
        ErrorStatus status,
        ReportOperation operation,
        FailureOrigin origin,
        List<FailureFact> facts,
        @Nullable String text) {
    public FailureSummary {
        facts = List.copyOf(facts);
    }

    /**
     * The summary of an error. A cancellation by the deadline is a native failure with that one fact; any other
     * cancellation is control and says no more than its code.
     *
     * @param operation the phase the attempt was in; an error's own operation is never reported
     */
    public static FailureSummary of(QueryException error, ReportOperation operation) {
        return switch (error.code()) {
            case CANCELLED ->
                error.facts().has(Reason.DEADLINE_EXPIRED)
                        ? deadlineExpired(operation)
                        : control(ErrorCode.CANCELLED, operation);
            case DROPPED, PANICKED -> control(error.code(), operation);
            default ->
                new FailureSummary(
                        error.code(),
                        error.status(),
                        operation,
                        FailureOrigin.NATIVE,
                        FailureFact.reportable(error.facts()),
                        null);
        };
    }

    /** The summary of an end that was decided outside the query: cancelled, dropped or panicked. */
    public static FailureSummary control(ErrorCode code, ReportOperation operation) {
        return new FailureSummary(
                code, ErrorStatus.NOT_APPLICABLE, operation, FailureOrigin.ATTEMPT_CONTROL, List.of(), null);
    }

    /** The summary of a request that was refused because its backend closes. */
    public static FailureSummary backendClosing() {
        return new FailureSummary(
                ErrorCode.CANCELLED,
                ErrorStatus.NOT_APPLICABLE,
                ReportOperation.ADMISSION,
                FailureOrigin.ATTEMPT_CONTROL,
                List.of(FailureFact.of(Reason.BACKEND_CLOSING)),
                null);
    }

    public boolean has(Reason reason) {
        return facts.contains(FailureFact.of(reason));
    }

    private static FailureSummary deadlineExpired(ReportOperation operation) {
        return new FailureSummary(
                ErrorCode.CANCELLED,
                ErrorStatus.NOT_APPLICABLE,
                operation,
                FailureOrigin.NATIVE,
                List.of(FailureFact.of(Reason.DEADLINE_EXPIRED)),
                null);
    }
}
