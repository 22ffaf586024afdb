package dev.weighlock.query.device;

import dev.weighlock.query.AdmissionRequestId;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A handle on the bytes one attempt may use. The figure never changes. Whoever holds a handle closes it, once or more;
 * the bytes return when the last handle and the last resident are closed. Any thread.
 */
public final class Grant implements AutoCloseable {
    private final GrantRoot root;
    /** Null for the first handle, whose close is a bit of the root. */
    private final @Nullable AtomicBoolean closed;

    private Grant(GrantRoot root, @Nullable AtomicBoolean closed) {
        this.root = root;
        this.closed = closed;
    }

    static Grant first(GrantRoot root) {
        return new Grant(root, null);
    }

    public GrantIdentity identity() {
        return root.identity();
    }

    /** The generation: the grant's id within its ledger. */
    public long grantId() {
        return root.grantId();
    }

    public AdmissionRequestId admissionRequestId() {
        return root.request().id();
    }

    public long bytes() {
        return root.bytes();
    }

    public int deviceOrdinal() {
        return root.ledger().deviceOrdinal();
    }

    public DeviceLedger ledger() {
        return root.ledger();
    }

    /** Another handle on the same grant. */
    public Grant share() {
        root.retain();
        return new Grant(root, new AtomicBoolean());
    }

    /** Names the backend generation that residents of this grant must keep alive. Bound once, right after admission. */
    public void bindGeneration(BackendGeneration generation) {
        root.bindGeneration(generation);
    }

    /** Marks the grant as cleaning: every byte still counts, and reports say why and since when. */
    public void beginCleaning(String reason) {
        Freezing.beginCleaning(root, reason);
    }

    public long residentOwnerBytes() {
        return root.entry().residentOwnerBytes;
    }

    /** True from a successful prepare on. */
    public boolean isFrozen() {
        return root.isFrozen();
    }

    /**
     * Charges a result that outlives the call that produced it; empty for zero bytes. Legal until the freeze is
     * published.
     */
    public Optional<ResidentLease> retainResident(long bytes) {
        return ResidentOwner.retain(root, bytes);
    }

    /** The number of residents that are not yet closed. */
    public int residentCount() {
        return root.ownerCount();
    }

    /** The backing allocations of all residents, sorted, each once. */
    public NavigableSet<Long> backingAllocations() {
        return root.allocations();
    }

    /**
     * First step of a freeze: fixes the bytes the allocator measured, makes the residents' charge equal to them and keeps
     * the domain for the final check. The full grant stays charged. Repeating it with the same bytes and domain does
     * nothing.
     */
    public void prepareFreeze(long measuredBytes, MemoryDomain domain) {
        Freezing.prepareMeasured(root, measuredBytes, domain);
    }

    /** First step of a freeze where no allocator measures: the residents' own charge stays as it is. */
    public void prepareFreeze(long residentBytes) {
        Freezing.prepare(root, residentBytes);
    }

    /** Second step, before the report is sealed: throws if the publish could fail. */
    public void validateFreeze() {
        Freezing.validate(root);
    }

    /** Third step, after the report is visible: the frozen bytes stay, slot and rest are free. May be repeated. */
    public void publishFreeze() {
        Freezing.publish(root);
    }

    /** Closes admission on this grant's device for a fault of which nobody can say how far it reaches. */
    public void closeDeviceForUnknownIsolation(String reason) {
        root.ledger().closeAdmissionForUnknownIsolation(reason);
    }

    /** Closes admission on this grant's device for a fault confined to it, whatever closed it before. */
    public void closeDeviceForLocalFault(String reason) {
        root.ledger().closeAdmission(reason);
    }

    /**
     * Gives the handle up.
     *
     * @throws dev.weighlock.query.QueryException when called from an observer of the same ledger; the handle stays open
     */
    @Override
    public void close() {
        HeldLedgers held = root.ledger().guard().refuseReentry("release_grant");
        if (closed == null) {
            root.closeFirst(held);
        } else if (closed.compareAndSet(false, true)) {
            root.releaseHolder(held);
        }
    }

    boolean isOf(GrantRoot other) {
        return root == other;
    }

    GrantRoot root() {
        return root;
    }

    @Override
    public String toString() {
        return "grant " + grantId() + " of device " + deviceOrdinal() + ", " + bytes() + " bytes, attempt "
                + identity().attempt();
    }
}
