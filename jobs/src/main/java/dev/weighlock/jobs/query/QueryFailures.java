package dev.weighlock.jobs.query;

import dev.weighlock.batch.FailureCategory;
import dev.weighlock.jobs.StepFailure;
import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.QueryException;
import dev.weighlock.query.Reason;

/** What a failed query means to its step. */
final class QueryFailures {
    private QueryFailures() {}

    static StepFailure of(QueryException failure) {
        for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
            if (cause instanceof StepFailure own) {
                // Rows that came from outside failed, not the query around them.
                return own;
            }
        }
        return new StepFailure(category(failure), String.valueOf(failure.getMessage()), failure);
    }

    private static FailureCategory category(QueryException failure) {
        if (failure.code() == ErrorCode.CANCELLED) {
            return isDeadline(failure) ? FailureCategory.DEADLINE_EXPIRED : FailureCategory.STEP_FAILED;
        }
        if (failure.code() == ErrorCode.DATA_ERROR) {
            return FailureCategory.DATA_ERROR;
        }
        if (failure.code() == ErrorCode.SOURCE_NOT_FOUND) {
            return FailureCategory.DEPENDENCY_FAILED;
        }
        return switch (failure.code().kind()) {
            case RESOURCE -> FailureCategory.RESOURCE_LIMIT;
            case DEPENDENCY -> FailureCategory.DEPENDENCY_FAILED;
            case INTERNAL, INVARIANT -> FailureCategory.INTERNAL;
            case CANCELLED, CONTROL, INPUT, PLANNING -> FailureCategory.STEP_FAILED;
        };
    }

    static boolean isDeadline(QueryException failure) {
        return failure.facts().has(Reason.DEADLINE_EXPIRED);
    }
}
