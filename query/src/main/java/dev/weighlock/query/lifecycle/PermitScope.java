package dev.weighlock.query.lifecycle;

import dev.weighlock.query.FactKey;
import dev.weighlock.query.Reason;

/** What a permit of the gate counts, with where its count lies in the gate's word and how its errors are named. */
public enum PermitScope {
    /** An attempt that has begun and whose report is not published. */
    OBSERVATION(
            0,
            "lifecycle.begin_observation",
            "lifecycle.wait_observation",
            Reason.OBSERVATION_TIMEOUT,
            Reason.OBSERVATION_PERMIT_COUNT_OVERFLOW,
            Reason.OBSERVATION_WAIT_POISONED,
            FactKey.ACTIVE_OBSERVATION_PERMITS),
    /** Work inside the current generation of device resources. */
    DEVICE(
            PermitScope.COUNT_BITS,
            "lifecycle.begin_device_resource",
            "lifecycle.wait_device",
            Reason.DEVICE_TIMEOUT,
            Reason.DEVICE_PERMIT_COUNT_OVERFLOW,
            Reason.DEVICE_WAIT_POISONED,
            FactKey.ACTIVE_DEVICE_PERMITS);

    private static final int COUNT_BITS = 31;
    private static final long MAX_COUNT = (1L << COUNT_BITS) - 1;

    final String beginOperation;
    final String waitOperation;
    final Reason timeout;
    final Reason overflow;
    final Reason poisoned;
    final FactKey activeFact;
    final long one;
    private final int shift;

    PermitScope(
            int shift,
            String beginOperation,
            String waitOperation,
            Reason timeout,
            Reason overflow,
            Reason poisoned,
            FactKey activeFact) {
        this.shift = shift;
        this.one = 1L << shift;
        this.beginOperation = beginOperation;
        this.waitOperation = waitOperation;
        this.timeout = timeout;
        this.overflow = overflow;
        this.poisoned = poisoned;
        this.activeFact = activeFact;
    }

    int count(long word) {
        return (int) ((word >>> shift) & MAX_COUNT);
    }

    boolean isFull(long word) {
        return count(word) == MAX_COUNT;
    }
}
