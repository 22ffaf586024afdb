package dev.weighlock.query.backend;

import dev.weighlock.query.AttemptId;
import dev.weighlock.query.device.Grant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way of a query's pages from its grant to whoever waits for them. The query's own thread prepares and publishes; the
 * admission's may hand over before, when the engine does not let go.
 */
final class PageHandover {
    private static final Logger LOG = LoggerFactory.getLogger(PageHandover.class);

    private final Services services;
    private final AttemptId attempt;
    private final Grant grant;
    private final CompletableFuture<PagedResult> handedOver = new CompletableFuture<>();
    private final AtomicBoolean handingOver = new AtomicBoolean();
    private volatile @Nullable PagedResult result;

    PageHandover(Services services, AttemptId attempt, Grant grant) {
        this.services = services;
        this.attempt = attempt;
        this.grant = grant;
    }

    /** Here the freeze may still fail the query; after it nothing can. */
    void prepare(PageBuilder built) {
        grant.bindGeneration(new LifecycleGeneration(services.lifecycle(), attempt));
        result = PagedResult.prepare(attempt, built, grant, services.keptResults());
    }

    /** Whether there are pages that take memory. */
    boolean isFrozen() {
        var prepared = result;
        return prepared != null && prepared.isFrozen();
    }

    /** After the report is out, the pages alone stay charged, and the query runs no more. */
    void publish() {
        try {
            if (isFrozen()) {
                grant.publishFreeze();
            }
        } catch (RuntimeException e) {
            // A ledger that another fault has poisoned: the pages stay readable, and charged as the whole grant.
            LOG.error("{} stays charged in full while its pages are kept", grant, e);
        }
        keep();
    }

    /** Gives the pages to whoever waits for them, once. */
    void keep() {
        var prepared = result;
        if (prepared != null && handingOver.compareAndSet(false, true)) {
            services.keptResults().keep(prepared);
            handedOver.complete(prepared);
        }
    }

    /** The query did not succeed. */
    void drop() {
        var prepared = result;
        if (prepared != null) {
            prepared.close();
        }
    }

    /** Waits for the pages of a query that has succeeded. */
    PagedResult await() throws InterruptedException {
        try {
            return handedOver.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("pages are handed over, never failed", e);
        }
    }
}
