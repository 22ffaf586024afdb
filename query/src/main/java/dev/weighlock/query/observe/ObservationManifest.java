package dev.weighlock.query.observe;

import dev.weighlock.query.AttemptId;
import org.jspecify.annotations.Nullable;

/**
 * What an observation is of.
 *
 * @param queryId empty when the caller gave none
 */
public record ObservationManifest(
        AttemptId attemptId,
        String queryId,
        @Nullable String traceContext,
        ObservationConfig config,
        @Nullable Long unixEpochNanos) {
    /** The label of the JSONL form. */
    public static final String SCHEMA = "weighlock.observation/1";
}
