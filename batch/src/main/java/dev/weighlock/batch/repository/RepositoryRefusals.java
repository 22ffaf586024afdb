package dev.weighlock.batch.repository;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;

/** The typed refusals of a repository, in the same words whatever stores the rows. For implementers of the port. */
public final class RepositoryRefusals {
    private RepositoryRefusals() {}

    /** A guard did not hold: FENCED when the epoch moved, else STALE_VERSION. */
    public static BatchException broken(String what, long expectedEpoch, long actualEpoch) {
        return expectedEpoch == actualEpoch
                ? stale(what + " was changed by somebody else: read it again")
                : new BatchException(
                        BatchError.FENCED,
                        what + " was taken over: its epoch is " + actualEpoch + ", this writer's " + expectedEpoch);
    }

    /** @param owner as messages call it */
    public static BatchException alive(long executionId, String owner) {
        return new BatchException(
                BatchError.ALREADY_RUNNING, "execution " + executionId + " is owned by the live " + owner);
    }

    /** Of two that take over, the loser did not own the execution before: it is not fenced, it came late. */
    public static BatchException lost(long executionId) {
        return stale("execution " + executionId + " was taken over by somebody else first");
    }

    public static BatchException planned(long stepExecutionId) {
        return stale("step execution " + stepExecutionId + " already has its plan");
    }

    public static BatchException decided(long executionId, String node, String target) {
        return stale("execution " + executionId + " has already left node " + node + " for " + target);
    }

    /** A restart expects an execution that nobody stores any more. */
    public static BatchException forgotten(long executionId) {
        return stale("execution " + executionId + " is no longer in the repository");
    }

    /** An attempt that is not its instance's last has nothing left to decide. */
    public static BatchException superseded(long executionId, long last) {
        return stale("execution " + executionId + " was superseded by execution " + last
                + ", the last attempt of its instance: name that one");
    }

    /** Its idempotency key was used before. */
    public static BatchException repeated(AuditEntry audit) {
        return new BatchException(
                BatchError.ALREADY_DONE,
                "an act with the idempotency key " + audit.key().orElse("") + " was done before: nothing changed");
    }

    private static BatchException stale(String message) {
        return new BatchException(BatchError.STALE_VERSION, message);
    }

    public static BatchException unknown(String what) {
        return new BatchException(BatchError.NOT_FOUND, what + " is not in the repository");
    }

    static BatchException illegal(String what, Enum<?> from, Enum<?> to) {
        return new BatchException(BatchError.ILLEGAL_TRANSITION, what + " cannot become " + to + ": it is " + from);
    }

    static BatchException noFailure(String what) {
        return new BatchException(BatchError.ILLEGAL_TRANSITION, what + " cannot become FAILED without a failure");
    }
}
