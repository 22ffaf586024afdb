package dev.weighlock.query.report;

/**
 * The grant an attempt ran under.
 *
 * @param admissionSequence the device ledger's sequence of the admission
 */
public record AdmissionFact(long admissionSequence, long admissionWaitNanos, int deviceOrdinal, long grantBytes) {}
