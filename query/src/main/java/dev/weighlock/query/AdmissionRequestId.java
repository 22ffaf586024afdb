package dev.weighlock.query;

/** The id of one request for admission, unique within its admission service. */
public record AdmissionRequestId(long value) {
    @Override
    public String toString() {
        return Long.toString(value);
    }
}
