package dev.weighlock.query.device;

import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import org.jspecify.annotations.Nullable;

/**
 * A grant's place in the books, guarded by its ledger's lock. It only refers to the grant weakly: when the last handle
 * becomes unreachable without a close, the collector enqueues the entry, and the ledger can name the leak.
 */
final class GrantEntry extends PhantomReference<GrantRoot> {
    final GrantRequest request;
    final long generation;
    final long grantBytes;
    final long heldSinceNanos;
    /** Written under the lock, read anywhere. */
    volatile long residentOwnerBytes;

    /** Neighbours in the books, in the order of admission; guarded like the rest. */
    @Nullable
    GrantEntry older;

    @Nullable
    GrantEntry newer;

    boolean present;
    boolean leaked;

    @Nullable
    Long prepared;

    @Nullable
    Long frozen;

    @Nullable
    MemoryDomain domain;

    GrantRow.@Nullable Cleaning cleaning;

    GrantEntry(
            GrantRoot root,
            ReferenceQueue<GrantRoot> leaks,
            GrantRequest request,
            long generation,
            long grantBytes,
            long heldSinceNanos) {
        super(root, leaks);
        this.request = request;
        this.generation = generation;
        this.grantBytes = grantBytes;
        this.heldSinceNanos = heldSinceNanos;
    }

    GrantRow row() {
        return new GrantRow(
                generation,
                request.attempt(),
                request.id(),
                grantBytes,
                residentOwnerBytes,
                frozen,
                heldSinceNanos,
                request.holder(),
                state(),
                cleaning,
                leaked);
    }

    private GrantState state() {
        if (frozen != null) {
            return GrantState.RELEASED;
        }
        return cleaning == null ? GrantState.LIVE : GrantState.CLEANING;
    }
}
