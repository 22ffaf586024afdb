package dev.weighlock.query.device;

import dev.weighlock.query.report.DomainUsage;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What all handles and residents of one grant share. It counts them; the last close returns the bytes. Nothing but
 * handles and residents may refer to it strongly, or a leak could not be seen.
 */
final class GrantRoot {
    private static final Logger LOG = LoggerFactory.getLogger(GrantRoot.class);

    private static final AtomicIntegerFieldUpdater<GrantRoot> HOLDERS =
            AtomicIntegerFieldUpdater.newUpdater(GrantRoot.class, "holders");
    private static final int FIRST_CLOSED = 1;
    private static final int FURTHER = 2;

    private final DeviceLedger ledger;
    private final GrantEntry entry;
    /** {@link #FIRST_CLOSED} once the first handle is closed, and {@link #FURTHER} for each other handle and resident. */
    private volatile int holders;

    private volatile @Nullable BackendGeneration generation;
    /** From prepare on; never cleared. */
    private volatile boolean frozen;

    private volatile @Nullable Residents residents;

    GrantRoot(
            DeviceLedger ledger,
            ReferenceQueue<GrantRoot> leaks,
            GrantRequest request,
            long generation,
            long bytes,
            long heldSinceNanos) {
        this.ledger = ledger;
        this.entry = new GrantEntry(this, leaks, request, generation, bytes, heldSinceNanos);
    }

    /** The published owners of a grant and the allocations behind each. */
    private record Residents(AtomicLong lastOwner, ConcurrentHashMap<Long, NavigableSet<Long>> allocations) {}

    DeviceLedger ledger() {
        return ledger;
    }

    GrantRequest request() {
        return entry.request;
    }

    GrantIdentity identity() {
        return new GrantIdentity(entry.request.attempt(), entry.generation);
    }

    long grantId() {
        return entry.generation;
    }

    long bytes() {
        return entry.grantBytes;
    }

    GrantEntry entry() {
        return entry;
    }

    boolean isFrozen() {
        return frozen;
    }

    void markFrozen() {
        frozen = true;
    }

    @Nullable
    BackendGeneration generation() {
        return generation;
    }

    void bindGeneration(BackendGeneration bound) {
        generation = bound;
    }

    /** Adds a holder; refused once the last one has left. */
    void retain() {
        int before = HOLDERS.getAndUpdate(this, word -> word == FIRST_CLOSED ? word : word + FURTHER);
        if (before == FIRST_CLOSED) {
            throw new IllegalStateException("grant " + grantId() + " is already released");
        }
    }

    /** Closes the first handle, once or more. */
    void closeFirst(HeldLedgers held) {
        int seen = holders;
        while ((seen & FIRST_CLOSED) == 0) {
            if (HOLDERS.compareAndSet(this, seen, seen | FIRST_CLOSED)) {
                if (seen == 0) {
                    release(held);
                }
                return;
            }
            seen = holders;
        }
    }

    void releaseHolder() {
        releaseHolder(ledger.guard().refuseReentry("release_grant"));
    }

    /**
     * Gives up a holder that {@link #retain} made.
     *
     * @param held what this thread was just found to hold
     */
    void releaseHolder(HeldLedgers held) {
        if (HOLDERS.addAndGet(this, -FURTHER) == FIRST_CLOSED) {
            release(held);
        }
    }

    private void release(HeldLedgers held) {
        try {
            if (frozen) {
                closeDeviceOverDomain();
            }
            ledger.release(entry, held);
        } finally {
            Reference.reachabilityFence(this); // not a leak before the books say so
        }
    }

    /** Bytes still allocated in a frozen domain mean that its capacity would be given away twice. */
    private void closeDeviceOverDomain() {
        MemoryDomain domain = ledger.guard().release("frozen_domain", () -> entry.domain);
        if (domain == null) {
            return;
        }
        String failure = domainFailure(domain);
        if (failure != null) {
            closeDevice(failure);
        }
    }

    private static @Nullable String domainFailure(MemoryDomain domain) {
        try {
            DomainUsage usage = domain.usage();
            return usage.isZero() ? null : "a frozen domain was not empty at its final release: " + usage;
        } catch (Throwable fault) {
            return "a frozen domain could not be sampled at its final release: " + fault;
        }
    }

    /** Closes the device where the caller cannot fail. */
    void closeDevice(String reason) {
        try {
            if (ledger.closeAdmissionIfOpen(reason)) {
                LOG.warn("Device {} is closed: {}", ledger.deviceOrdinal(), reason);
            }
        } catch (RuntimeException fault) {
            LOG.warn("Device {} could not be closed ({})", ledger.deviceOrdinal(), reason, fault);
        }
    }

    long newOwner() {
        Residents known = residents();
        long owner = known.lastOwner().incrementAndGet();
        known.allocations().put(owner, new TreeSet<>());
        return owner;
    }

    void setAllocations(long owner, NavigableSet<Long> identities) {
        residents().allocations().replace(owner, identities);
    }

    void forgetOwner(long owner) {
        residents().allocations().remove(owner);
    }

    int ownerCount() {
        Residents known = residents;
        return known == null ? 0 : known.allocations().size();
    }

    NavigableSet<Long> allocations() {
        NavigableSet<Long> all = new TreeSet<>();
        Residents known = residents;
        if (known != null) {
            known.allocations().values().forEach(all::addAll);
        }
        return all;
    }

    /** Most grants keep no resident, so the bookkeeping is made on first use. */
    private Residents residents() {
        Residents known = residents;
        if (known == null) {
            synchronized (this) {
                known = residents;
                if (known == null) {
                    known = new Residents(new AtomicLong(), new ConcurrentHashMap<>());
                    residents = known;
                }
            }
        }
        return known;
    }
}
