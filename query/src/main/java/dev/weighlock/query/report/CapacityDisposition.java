package dev.weighlock.query.report;

/** What became of an attempt's grant. */
public enum CapacityDisposition {
    NOT_ADMITTED,
    RELEASED,
    /** Part of it stays charged for a frozen result. */
    FROZEN_RESIDENT,
    /** It stays charged because the engine cannot prove that it let go. */
    RETAINED_QUARANTINE
}
