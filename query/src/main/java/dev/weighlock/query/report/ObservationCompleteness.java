package dev.weighlock.query.report;

/**
 * How much of the attempt's observation was kept.
 *
 * @param truncated a cap was reached
 * @param degraded the recorder or its clock failed
 */
public record ObservationCompleteness(
        long lostRecords, long retainedRecords, long retainedBytes, boolean truncated, boolean degraded) {}
