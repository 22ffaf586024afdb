package dev.weighlock.query.admission;

import dev.weighlock.query.Deadline;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A request that waits. Grant, timeout, deadline, cancel and close compete for its one outcome. Any thread; whoever holds
 * it ends with {@link #giveUp} or with the outcome.
 */
public final class AdmissionTicket implements AdmissionDecision {
    private final AdmissionService service;
    private final Waiter waiter;

    AdmissionTicket(AdmissionService service, Waiter waiter) {
        this.service = service;
        this.waiter = waiter;
    }

    public AdmissionRequest request() {
        return waiter.request();
    }

    /** Waits for the outcome, which the service's own limits bound. */
    public AdmissionOutcome await() throws InterruptedException {
        try {
            return waiter.published().toCompletableFuture().get();
        } catch (ExecutionException impossible) {
            throw new CompletionException(impossible);
        }
    }

    /** Waits for the outcome until the deadline; empty when it is still open then. */
    public Optional<AdmissionOutcome> await(Deadline deadline) throws InterruptedException {
        try {
            return Optional.of(
                    waiter.published().toCompletableFuture().get(deadline.remainingNanos(), TimeUnit.NANOSECONDS));
        } catch (TimeoutException stillOpen) {
            return Optional.empty();
        } catch (ExecutionException impossible) {
            throw new CompletionException(impossible);
        }
    }

    /** The outcome if there is one. */
    public Optional<AdmissionOutcome> outcome() {
        return waiter.decided();
    }

    /** Completes with the outcome, on the thread that decided it and outside every lock. */
    public CompletionStage<AdmissionOutcome> stage() {
        return waiter.published();
    }

    /**
     * Ends the wait for the caller. Returns at once.
     *
     * @return false when another outcome was first; if that is a grant, the caller has to close it
     */
    public boolean cancel() {
        return service.cancel(waiter);
    }

    /** Cancels; a grant that came first is given back. */
    public void giveUp() {
        if (!cancel()) {
            waiter.published().thenAccept(outcome -> {
                if (outcome instanceof AdmissionOutcome.Admitted admitted) {
                    admitted.grant().close();
                }
            });
        }
    }

    /** Why it waits, and what would admit it; empty once decided. */
    public Optional<WaitReason> waitReason() {
        return service.waitReason(waiter);
    }
}
