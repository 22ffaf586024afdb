/**
 * Admission: who gets a grant, on which device, when; who waits and why.
 *
 * {@snippet :
 * switch (service.request(AdmissionRequest.of(attempt, QueryCap.of(256L << 20)))) {
 *     case AdmissionOutcome.Admitted admitted -> use(admitted.grant()); // whoever gets a grant closes it
 *     case AdmissionOutcome.Refused refused -> tell(refused.error());
 *     case AdmissionTicket ticket -> ticket.stage().thenAccept(this::decided); // or await, cancel, giveUp
 * }
 * }
 *
 * Every public type may be used by any thread. Bytes are bytes, times are nanoseconds of the service's clock unless a
 * {@link java.time.Duration} says otherwise. Expected ends are values; their errors are {@code SERVICE_OVERLOADED} (queue
 * full, wait elapsed), {@code QUERY_BUDGET_UNAVAILABLE} (can never fit, would wait on itself or in a circle, no such
 * device), {@code INVALID_PLAN} (no cap, or one below the least), {@code INVALID_CONFIGURATION} (no such pool),
 * {@code CANCELLED} (caller, deadline, closing) and {@code DEVICE_FAULT}. Calls from inside a ledger's observer are
 * refused by an exception. Whoever starts a service closes it, after the attempts that use it.
 */
@NullMarked
package dev.weighlock.query.admission;

import org.jspecify.annotations.NullMarked;
