package dev.weighlock.query.device;

import dev.weighlock.query.AdmissionRequestId;
import dev.weighlock.query.AttemptId;

/**
 * What a ledger is asked for.
 *
 * @param holder who will hold the grant, for reports and for those who wait
 * @param onReleased runs once after the bytes are back and the ledger's lock is free, before admission observers
 */
public record GrantRequest(AdmissionRequestId id, AttemptId attempt, QueryCap cap, String holder, Runnable onReleased) {
    public GrantRequest(AdmissionRequestId id, AttemptId attempt, QueryCap cap) {
        this(id, attempt, cap, attempt.toString(), GrantRequest::nothing);
    }

    private static void nothing() {}
}
