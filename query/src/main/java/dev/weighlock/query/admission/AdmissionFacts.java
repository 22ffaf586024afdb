package dev.weighlock.query.admission;

/**
 * What is known about one admission.
 *
 * @param sequence counts the admissions of the service from 1
 * @param passes how often later requests went first because this one did not fit
 */
public record AdmissionFacts(
        long sequence, long requestedNanos, long admittedNanos, int deviceOrdinal, long grantBytes, int passes) {

    public long waitNanos() {
        return admittedNanos - requestedNanos;
    }
}
