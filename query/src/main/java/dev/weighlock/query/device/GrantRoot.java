package dev.weighlock.query.device;

import dev.weighlock.query.report.DomainUsage;
import java.lang.ref.Reference;
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

    private final DeviceLedger ledger;
    private final GrantRequest request;
    private final GrantIdentity identity;
    private final long bytes;
    private volatile int holders = 1;
    private @Nullable GrantEntry entry;
    private volatile @Nullable BackendGeneration generation;
    /** From prepare on; never cleared. */
    private volatile boolean frozen;

    private volatile @Nullable Residents residents;

    GrantRoot(DeviceLedger ledger, GrantRequest request, long generation, long bytes) {
        this.ledger = ledger;
        this.request = request;
        this.identity = new GrantIdentity(request.attempt(), generation);
        this.bytes = bytes;
    }

    /** The published owners of a grant and the allocations behind each. */
    private record Residents(AtomicLong lastOwner, ConcurrentHashMap<Long, NavigableSet<Long>> allocations) {}

    void enter(GrantEntry place) {
        entry = place;
    }

    DeviceLedger ledger() {
        return ledger;
    }

    GrantRequest request() {
        return request;
    }

    GrantIdentity identity() {
        return identity;
    }

    long bytes() {
        return bytes;
    }

    GrantEntry entry() {
        GrantEntry place = entry;
        if (place == null) {
            throw new AssertionError("grant " + identity + " was never entered");
        }
        return place;
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
        int before = HOLDERS.getAndUpdate(this, count -> count == 0 ? 0 : count + 1);
        if (before == 0) {
            throw new IllegalStateException("grant " + identity.generation() + " is already released");
        }
    }

    void releaseHolder() {
        if (HOLDERS.decrementAndGet(this) == 0) {
            try {
                if (frozen) {
                    closeDeviceOverDomain();
                }
                ledger.release(entry());
            } finally {
                Reference.reachabilityFence(this); // not a leak before the books say so
            }
        }
    }

    /** Bytes still allocated in a frozen domain mean that its capacity would be given away twice. */
    private void closeDeviceOverDomain() {
        MemoryDomain domain = ledger.guard().release("frozen_domain", () -> entry().domain);
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
