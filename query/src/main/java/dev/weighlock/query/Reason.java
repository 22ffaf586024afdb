package dev.weighlock.query;

import java.util.Locale;

/** The closed set of values of the fact {@code reason}. */
public enum Reason {
    BACKEND_CLOSING(true),
    DEADLINE_EXPIRED(true),
    CALLER_CANCELLED(true),
    ADMISSION_QUEUE_FULL(true),
    QUEUE_WAIT_ELAPSED(true),
    QUERY_CAP_EXCEEDS_CAPACITY(true),
    RESIDENTS(true),
    BACKEND_UNHEALTHY(true),
    TEMP_SPACE(true),
    RESULT_ALLOWANCE(true),
    WOULD_WAIT_ON_ITSELF(true),

    ZERO_QUERY_CAP(false),
    LEDGER_OBSERVER_REENTRANCY(false),
    LEDGER_MUTEX_POISONED(false),
    TRANSITION_OBSERVER_MUTEX_POISONED(false),
    ADMISSION_OBSERVER_MUTEX_POISONED(false),
    GRANT_GENERATION_EXHAUSTED(false),
    CACHE_EVICTABLE_CHARGE_MISSING(false),
    CACHE_PINNED_CHARGE_MISSING(false),
    CACHE_EXACT_CHARGE_MISSING(false),
    CACHE_PINNED_CHARGE_OVERFLOW(false),
    CACHE_EVICTABLE_CHARGE_OVERFLOW(false),

    OBSERVATION_PERMIT_COUNT_OVERFLOW(false),
    DEVICE_PERMIT_COUNT_OVERFLOW(false),
    OBSERVATION_WAIT_POISONED(false),
    DEVICE_WAIT_POISONED(false),
    OBSERVATION_TIMEOUT(false),
    DEVICE_TIMEOUT(false),

    ZERO_BACKEND_GENERATION(false),
    BACKEND_METRICS_DEVICE_ORDINAL_OUT_OF_RANGE(false),
    DUPLICATE_BACKEND_METRICS_DEVICE_ORDINAL(false);

    private final boolean reportable;
    private final String value = name().toLowerCase(Locale.ROOT);

    Reason(boolean reportable) {
        this.reportable = reportable;
    }

    /** The value as reports and messages spell it. */
    public String value() {
        return value;
    }

    /** Whether a report's failure summary may carry this value. */
    public boolean reportable() {
        return reportable;
    }

    @Override
    public String toString() {
        return value;
    }
}
