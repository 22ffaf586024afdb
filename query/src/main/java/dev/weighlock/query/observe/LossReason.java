package dev.weighlock.query.observe;

/** Why an event was not kept. */
public enum LossReason {
    RECORD_CAP,
    BYTE_CAP,
    /** The clock or the recorder failed. */
    RECORDER_FAULT
}
