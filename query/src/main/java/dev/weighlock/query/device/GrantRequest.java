package dev.weighlock.query.device;

import dev.weighlock.query.AdmissionRequestId;
import dev.weighlock.query.AttemptId;

/**
 * What a ledger is asked for.
 *
 * @param holder who will hold the grant, for reports and for those who wait
 * @param onReleased runs once when the grant counts as running no more, by its release or the publish of its freeze:
 *     after the books say so and the ledger's lock is free, before admission observers
 */
public record GrantRequest(AdmissionRequestId id, AttemptId attempt, QueryCap cap, String holder, Runnable onReleased) {
    public GrantRequest(AdmissionRequestId id, AttemptId attempt, QueryCap cap) {
        this(id, attempt, cap, attempt.toString(), GrantRequest::nothing);
    }

    private static void nothing() {}
}
