package dev.weighlock.query.observe;

/**
 * How much of an attempt is recorded.
 *
 * @param maxBytes of events, each charged with a fixed size plus its text
 */
public record ObservationConfig(boolean enabled, int maxRecords, long maxBytes) {
    private static final int MAX_RECORDS = 65_536;
    private static final long MAX_BYTES = 8L << 20;
    private static final ObservationConfig NATIVE_EXECUTION = bounded(MAX_RECORDS, MAX_BYTES);
    private static final ObservationConfig DISABLED = new ObservationConfig(false, 0, 0);

    public ObservationConfig {
        if (maxRecords < 0 || maxRecords > MAX_RECORDS || maxBytes < 0) {
            throw new IllegalArgumentException("an observation keeps 0 to " + MAX_RECORDS + " records");
        }
    }

    /** The default. */
    public static ObservationConfig nativeExecution() {
        return NATIVE_EXECUTION;
    }

    public static ObservationConfig bounded(int maxRecords, long maxBytes) {
        return new ObservationConfig(true, maxRecords, maxBytes);
    }

    /** Records nothing; the attempt is sealed and reported all the same. */
    public static ObservationConfig disabled() {
        return DISABLED;
    }
}
