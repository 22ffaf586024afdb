package dev.weighlock.query.attempt;

import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.QueryException;

/** A call that the attempt's lifecycle does not allow; the attempt is as it was before the call. */
public final class AttemptLifecycleException extends QueryException {
    private static final long serialVersionUID = 1L;

    /** Which rule was broken. */
    public enum Violation {
        /** An outcome is committed already; it stands. */
        DOUBLE_TERMINALIZATION,
        /** The one right to admission has been used. */
        ADMISSION_ALREADY_CLAIMED,
        /** The right to finish the attempt is elsewhere or used up. */
        FINALIZATION_UNAVAILABLE,
        /** The boundary cannot come now. */
        INVALID_ORDER
    }

    private final Violation violation;
    private final String boundary;
    private final String reason;

    private AttemptLifecycleException(Violation violation, String boundary, String reason) {
        super(ErrorCode.INVARIANT_VIOLATION, "attempt." + boundary, violation + ": " + reason);
        this.violation = violation;
        this.boundary = boundary;
        this.reason = reason;
    }

    static AttemptLifecycleException doubleTerminalization() {
        return new AttemptLifecycleException(
                Violation.DOUBLE_TERMINALIZATION, "terminal", "the attempt has an outcome already");
    }

    static AttemptLifecycleException admissionAlreadyClaimed() {
        return new AttemptLifecycleException(
                Violation.ADMISSION_ALREADY_CLAIMED, "admission_requested", "the right to admission is used up");
    }

    static AttemptLifecycleException finalizationUnavailable() {
        return new AttemptLifecycleException(
                Violation.FINALIZATION_UNAVAILABLE, "finalize", "somebody else finishes this attempt");
    }

    static AttemptLifecycleException invalidOrder(String boundary, String reason) {
        return new AttemptLifecycleException(Violation.INVALID_ORDER, boundary, reason);
    }

    public Violation violation() {
        return violation;
    }

    /** The boundary that was refused. */
    public String boundary() {
        return boundary;
    }

    /** Why, as a short fixed term. */
    public String reason() {
        return reason;
    }
}
