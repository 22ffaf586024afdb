package dev.weighlock.query.lifecycle;

/** The slices in which a backend closes, in this order. */
public enum ClosingSlice {
    ADMISSION_CLOSED,
    QUEUED_REFUSED,
    RUNNING_CANCELLED,
    DEVICE_PERMITS_ZERO,
    GENERATION_RELEASED,
    OBSERVATION_PERMITS_ZERO
}
