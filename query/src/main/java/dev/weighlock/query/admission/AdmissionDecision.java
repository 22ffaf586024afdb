package dev.weighlock.query.admission;

/** The immediate answer to a request: an outcome, or a ticket for one. */
public sealed interface AdmissionDecision permits AdmissionOutcome, AdmissionTicket {}
