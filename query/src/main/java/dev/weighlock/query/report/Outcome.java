package dev.weighlock.query.report;

import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.ErrorStatus;
import dev.weighlock.query.QueryException;

/** The terminal outcome of one attempt; the first one that is committed stands. */
public sealed interface Outcome {
    Outcome SUCCEEDED = new Succeeded();
    Outcome CANCELLED = new Cancelled();
    /** The owner let go before anything ended the attempt. */
    Outcome DROPPED = new Dropped();
    /** The attempt's code threw something that is not a query error. */
    Outcome PANICKED = new Panicked();

    OutcomeKind kind();

    static Outcome failed(ErrorCode code, ErrorStatus status) {
        return new Failed(code, status);
    }

    /** The outcome that an error with this code and status means. */
    static Outcome of(ErrorCode code, ErrorStatus status) {
        return switch (code) {
            case CANCELLED -> CANCELLED;
            case DROPPED -> DROPPED;
            case PANICKED -> PANICKED;
            default -> failed(code, status);
        };
    }

    static Outcome of(QueryException error) {
        return of(error.code(), error.status());
    }

    static Outcome of(FailureSummary summary) {
        return of(summary.code(), summary.status());
    }

    record Succeeded() implements Outcome {
        @Override
        public OutcomeKind kind() {
            return OutcomeKind.SUCCEEDED;
        }
    }

    record Failed(ErrorCode code, ErrorStatus status) implements Outcome {
        @Override
        public OutcomeKind kind() {
            return OutcomeKind.FAILED;
        }
    }

    record Cancelled() implements Outcome {
        @Override
        public OutcomeKind kind() {
            return OutcomeKind.CANCELLED;
        }
    }

    record Dropped() implements Outcome {
        @Override
        public OutcomeKind kind() {
            return OutcomeKind.DROPPED;
        }
    }

    record Panicked() implements Outcome {
        @Override
        public OutcomeKind kind() {
            return OutcomeKind.PANICKED;
        }
    }
}
