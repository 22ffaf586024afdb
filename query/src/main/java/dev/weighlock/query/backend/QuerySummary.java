package dev.weighlock.query.backend;

import dev.weighlock.query.AttemptId;
import dev.weighlock.query.QueryException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What became of one query, for callers and records. What did not happen is null, never zero.
 *
 * @param outcome the terminal outcome
 * @param error the untouched exception of a query that did not succeed
 * @param phaseAtEnd an operation of the error vocabulary, or {@code QUEUE}
 * @param queueWait from the request for admission to the grant
 * @param executionTime from the start of the engine's work to the outcome
 * @param totalTime from submission until the report was sealed, cleanup included
 * @param grantBytes what was granted
 * @param peakBytes the highest use inside the grant
 * @param tempBytes the highest use of disk for spilling
 * @param resultRows rows handed over or written
 * @param resultComplete whether those were all
 */
public record QuerySummary(
        AttemptId attemptId,
        @Nullable String label,
        String engine,
        Outcome outcome,
        @Nullable QueryException error,
        String phaseAtEnd,
        @Nullable CancelReason cancelReason,
        @Nullable Duration planningTime,
        @Nullable Duration queueWait,
        @Nullable Duration executionTime,
        Duration totalTime,
        @Nullable Long grantBytes,
        @Nullable Long peakBytes,
        @Nullable Long tempBytes,
        @Nullable Long resultRows,
        boolean resultComplete) {

    /** How an attempt ends. */
    public enum Outcome {
        SUCCEEDED,
        FAILED,
        CANCELLED,
        DROPPED,
        PANICKED
    }
}
