package dev.weighlock.query.admission;

import dev.weighlock.query.QueryException;
import dev.weighlock.query.device.Grant;

/** How a request ended; fixed once. */
public sealed interface AdmissionOutcome extends AdmissionDecision {
    /** The request has its grant. The receiver closes it. */
    record Admitted(Grant grant, AdmissionFacts facts) implements AdmissionOutcome {}

    /**
     * The request gets no grant. The error says why: queue full, wait elapsed, cap that can never fit, waiting on itself,
     * cancelled, deadline, closing, no healthy device.
     */
    record Refused(QueryException error) implements AdmissionOutcome {}
}
