package dev.weighlock.query.device;

import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.FactKey;
import dev.weighlock.query.Facts;
import dev.weighlock.query.QueryException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One resident: its charge, its fences and the leases that hold it. The last lease's close releases the charge once. */
final class ResidentOwner {
    private static final Logger LOG = LoggerFactory.getLogger(ResidentOwner.class);
    private static final String ADD = "memory_grant.add_owner";

    private final GrantRoot root;
    private final long bytes;
    private final long id;
    private final BackendGeneration.@Nullable Lease generation;
    private final Fences fences = new Fences();
    private final AtomicInteger leases = new AtomicInteger(1);

    private ResidentOwner(GrantRoot root, long bytes, BackendGeneration.@Nullable Lease generation) {
        this.root = root;
        this.bytes = bytes;
        this.id = root.newOwner();
        this.generation = generation;
    }

    static Optional<ResidentLease> retain(GrantRoot root, long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("a resident cannot have " + bytes + " bytes");
        }
        if (bytes == 0) {
            return Optional.empty();
        }
        root.retain();
        BackendGeneration.Lease lease = null;
        try {
            lease = retainGeneration(root);
            charge(root, bytes);
        } catch (Throwable refusal) {
            closeQuietly(lease);
            root.releaseHolder();
            throw refusal;
        }
        return Optional.of(new ResidentLease(new ResidentOwner(root, bytes, lease), null));
    }

    private static BackendGeneration.@Nullable Lease retainGeneration(GrantRoot root) {
        BackendGeneration generation = root.generation();
        if (generation == null) {
            return null;
        }
        generation.checkOpen(ADD);
        return generation.retain("memory_grant.new_lease");
    }

    private static void charge(GrantRoot root, long bytes) {
        root.ledger().decide("add_resident_owner_bytes", () -> {
            GrantEntry entry = root.entry();
            requireUnpublished(root, entry);
            LedgerBooks books = root.ledger().books();
            if (bytes > Long.MAX_VALUE - books.residentOwnerBytes()) {
                throw violation(root, "the residents' bytes would overflow");
            }
            books.setResidentOwnerBytes(entry, entry.residentOwnerBytes + bytes);
            return root.ledger().commit(TransitionKind.RESIDENT_OWNER_CHARGED);
        });
    }

    private static void requireUnpublished(GrantRoot root, GrantEntry entry) {
        if (!entry.present) {
            throw violation(root, "a resident was added after its grant had left the ledger");
        }
        if (entry.frozen != null) {
            throw violation(root, "a resident was added after the freeze was published");
        }
    }

    private static QueryException violation(GrantRoot root, String message) {
        return new QueryException(
                ErrorCode.INVARIANT_VIOLATION,
                ADD,
                message,
                Facts.of(FactKey.GRANT_ID, root.identity().generation()));
    }

    GrantRoot root() {
        return root;
    }

    long id() {
        return id;
    }

    long bytes() {
        return bytes;
    }

    Fences fences() {
        return fences;
    }

    void retainLease() {
        if (leases.getAndUpdate(count -> count == 0 ? 0 : count + 1) == 0) {
            throw new IllegalStateException("the resident is already closed");
        }
    }

    void releaseLease() {
        if (leases.decrementAndGet() == 0) {
            finish();
        }
    }

    /**
     * Only a frozen owner waits: before a freeze the attempt's own cleanup orders its streams, and the bytes stay charged
     * to the live grant anyway.
     */
    private void finish() {
        String failure = root.isFrozen() ? fences.awaitAll() : null;
        if (failure != null) {
            root.closeDevice(failure);
        }
        root.forgetOwner(id);
        discharge();
        closeQuietly(generation);
        root.releaseHolder();
    }

    private void discharge() {
        DeviceLedger ledger = root.ledger();
        ledger.guard().release("release_resident_owner_bytes", () -> {
            GrantEntry entry = root.entry();
            if (!entry.present) {
                return null;
            }
            long rest = entry.residentOwnerBytes - bytes;
            if (rest < 0 && !root.isFrozen()) {
                LOG.warn("Grant {}: a resident gave back more than was charged; ignored", root.identity());
                return null;
            }
            // A freeze rebases the charge to what was measured, so owners that share memory may give back more.
            ledger.books().setResidentOwnerBytes(entry, Math.max(0, rest));
            return ledger.commit(TransitionKind.RESIDENT_OWNER_RELEASED);
        });
    }

    private static void closeQuietly(BackendGeneration.@Nullable Lease lease) {
        if (lease == null) {
            return;
        }
        try {
            lease.close();
        } catch (RuntimeException fault) {
            LOG.warn("A lease on the backend's generation failed to close; the resident's bytes are returned", fault);
        }
    }
}
