package dev.weighlock.query;

import java.util.Locale;

/**
 * The closed set of keys that an error's facts may use. A report keeps only the reportable ones, so no value that came
 * from a caller's data reaches it.
 */
public enum FactKey {
    REASON,
    ALLOCATION_SOURCE,

    ACTION,
    ADMISSION_REQUEST_ID,
    ATTEMPT_ID,
    GRANT_ID,
    DEVICE_ORDINAL,
    DEVICE_CAPACITY,
    DEVICE_COUNT,
    INDEX,

    REQUESTED_BYTES,
    EVICTABLE_BYTES,
    PINNED_BYTES,
    MEASURED_BYTES,
    QUERY_CAP_BYTES,
    RESIDENT_BYTES,
    EXISTING_RESIDENT_BYTES,
    LARGEST_FIT_BYTES,
    LIMIT_BYTES,

    CANCELLATION_REQUESTED,
    CLEANUP_DEADLINE_ELAPSED,
    ACTIVE_OBSERVATION_PERMITS,
    ACTIVE_DEVICE_PERMITS,

    POOL,
    QUEUE_LIMIT,
    WAIT_NANOS,
    HOLDERS,

    STATEMENT_KIND,
    STATEMENT_COUNT,
    PATH,
    FILE,
    LINE,
    COLUMN;

    private final String key = name().toLowerCase(Locale.ROOT);

    /** The key as reports and messages spell it. */
    public String key() {
        return key;
    }

    /** Whether a report may carry a fact with this key. */
    public boolean reportable() {
        return this == REASON || this == ALLOCATION_SOURCE;
    }
}
