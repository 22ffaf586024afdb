package dev.weighlock.query.device;

import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Keeps one resident and, through it, its grant charged. Whoever holds a lease closes it, once or more; the last close of
 * a frozen resident waits for the fences of every stream that wrote or read it. Any thread.
 */
public final class ResidentLease implements AutoCloseable {
    private final ResidentOwner owner;
    private final @Nullable WorkStream reader;
    private final AtomicBoolean closed = new AtomicBoolean();

    ResidentLease(ResidentOwner owner, @Nullable WorkStream reader) {
        this.owner = owner;
        this.reader = reader;
    }

    /** The bytes this resident was charged with. */
    public long bytes() {
        return owner.bytes();
    }

    public boolean isFrozen() {
        return owner.root().isFrozen();
    }

    public boolean belongsTo(Grant grant) {
        return grant.isOf(owner.root());
    }

    /** Fences the resident behind all that the stream has queued so far, replacing the stream's earlier fence. */
    public void recordCompletion(WorkStream stream) {
        owner.fences().record(stream);
    }

    /** Another lease on the same resident. */
    public ResidentLease share() {
        owner.retainLease();
        return new ResidentLease(owner, null);
    }

    /** A lease for a reader on the stream; its close records what the stream has queued by then. */
    public ResidentLease forReader(WorkStream stream) {
        owner.retainLease();
        return new ResidentLease(owner, stream);
    }

    /** Another resident of the same grant, made from this one; empty for zero bytes. */
    public Optional<ResidentLease> retainDerived(long bytes) {
        return ResidentOwner.retain(owner.root(), bytes);
    }

    /** Names the allocations behind the resident; zeros are dropped. */
    public void setBackingAllocations(long... identities) {
        NavigableSet<Long> known = new TreeSet<>();
        for (long identity : identities) {
            if (identity != 0) {
                known.add(identity);
            }
        }
        owner.root().setAllocations(owner.id(), known);
    }

    @Override
    public void close() {
        owner.root().ledger().guard().refuseReentry("release_resident_owner_bytes");
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        if (reader != null) {
            owner.fences().recordReader(reader);
        }
        owner.releaseLease();
    }
}
