package dev.weighlock.query.report;

import java.util.Locale;

/** The closed set of values of the fact {@code allocation_source}: what asked for the bytes that were not there. */
public enum AllocationSource {
    ENGINE_MEMORY,
    RESULT,
    IMPORT,
    TEMP_SPACE;

    private final String value = name().toLowerCase(Locale.ROOT);

    /** The value as reports spell it. */
    public String value() {
        return value;
    }
}
