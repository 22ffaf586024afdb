package dev.weighlock.query.device;

import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.FactKey;
import dev.weighlock.query.Facts;
import dev.weighlock.query.QueryException;
import dev.weighlock.query.Reason;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The counts of one device. Not thread-safe: the ledger's lock guards every field. Sums are kept as they change;
 * {@link #balanced} adds them up again from the entries.
 */
final class LedgerBooks {
    private final DeviceProfile profile;
    /** Grants form a list through the entries themselves, oldest first; a frozen one stays until its last close. */
    private @Nullable GrantEntry oldest;

    private @Nullable GrantEntry newest;

    private long sequence;
    private long nextGeneration;
    private int active;
    private long liveGrantBytes;
    private long frozenResidentBytes;
    private long residentOwnerBytes;
    private long evictableBytes;
    private long pinnedBytes;
    private DeviceHealth health = DeviceHealth.Open.OPEN;

    LedgerBooks(DeviceProfile profile, long firstGeneration) {
        this.profile = profile;
        this.nextGeneration = firstGeneration;
    }

    LedgerSnapshot snapshot() {
        return new LedgerSnapshot(
                profile,
                sequence,
                active,
                liveGrantBytes,
                frozenResidentBytes,
                residentOwnerBytes,
                evictableBytes,
                pinnedBytes,
                health);
    }

    /** Every mutation ends here: the snapshot carries the new sequence. */
    LedgerTransition transition(TransitionKind kind) {
        sequence++;
        return new LedgerTransition(kind, snapshot());
    }

    List<GrantRow> rows() {
        List<GrantRow> rows = new ArrayList<>();
        for (GrantEntry entry = oldest; entry != null; entry = entry.newer) {
            rows.add(entry.row());
        }
        return rows;
    }

    DeviceHealth health() {
        return health;
    }

    DeviceHealth.Closed close(String reason, FaultIsolation isolation) {
        long before = health instanceof DeviceHealth.Closed closed ? closed.generation() : 0;
        DeviceHealth.Closed closed = new DeviceHealth.Closed(reason, isolation, before + 1);
        health = closed;
        return closed;
    }

    /** The bytes a grant would get now, 0 when it has to wait. */
    long admissibleBytes(QueryCap cap) {
        if (!health.isOpen() || active >= profile.maxActive()) {
            return 0;
        }
        long room = profile.queryShareBytes() - frozenResidentBytes;
        long bytes = cap instanceof QueryCap.Explicit explicit
                ? explicit.bytes()
                : Math.min(profile.defaultQueryLimitBytes(), room);
        return bytes <= room - liveGrantBytes ? bytes : 0;
    }

    long takeGeneration(GrantRequest request) {
        if (nextGeneration == Long.MAX_VALUE) {
            throw new QueryException(
                    ErrorCode.INTERNAL,
                    DeviceLedger.OPERATION,
                    "the ledger has no grant ids left",
                    Facts.of(Reason.GRANT_GENERATION_EXHAUSTED)
                            .with(FactKey.DEVICE_ORDINAL, profile.deviceOrdinal())
                            .with(FactKey.ATTEMPT_ID, request.attempt()));
        }
        return nextGeneration++;
    }

    void admit(GrantEntry entry) {
        link(entry);
        active++;
        liveGrantBytes += entry.grantBytes;
    }

    /** Takes the entry out; false when it had left before. */
    boolean remove(GrantEntry entry) {
        if (!entry.present) {
            return false;
        }
        unlink(entry);
        if (entry.frozen == null) {
            active--;
            liveGrantBytes -= entry.grantBytes;
        } else {
            frozenResidentBytes -= entry.frozen;
        }
        residentOwnerBytes -= entry.residentOwnerBytes;
        return true;
    }

    private void link(GrantEntry entry) {
        GrantEntry last = newest;
        entry.present = true;
        entry.older = last;
        newest = entry;
        if (last == null) {
            oldest = entry;
        } else {
            last.newer = entry;
        }
    }

    private void unlink(GrantEntry entry) {
        GrantEntry before = entry.older;
        GrantEntry after = entry.newer;
        entry.present = false;
        entry.older = null;
        entry.newer = null;
        if (before == null) {
            oldest = after;
        } else {
            before.newer = after;
        }
        if (after == null) {
            newest = before;
        } else {
            after.older = before;
        }
    }

    void setResidentOwnerBytes(GrantEntry entry, long bytes) {
        residentOwnerBytes += bytes - entry.residentOwnerBytes;
        entry.residentOwnerBytes = bytes;
    }

    /** What R would be with the entry's prepared bytes. */
    long frozenWith(long bytes) {
        return Math.addExact(frozenResidentBytes, bytes);
    }

    /** For tests of the overflow check alone: moves R without a grant. */
    void freezeForeignBytes(long bytes) {
        frozenResidentBytes += bytes;
    }

    void freeze(GrantEntry entry, long bytes) {
        frozenResidentBytes = frozenWith(bytes);
        entry.prepared = null;
        entry.frozen = bytes;
        active--;
        liveGrantBytes -= entry.grantBytes;
    }

    long residentOwnerBytes() {
        return residentOwnerBytes;
    }

    long evictableBytes() {
        return evictableBytes;
    }

    long pinnedBytes() {
        return pinnedBytes;
    }

    boolean reserveEvictable(long bytes) {
        if (bytes > profile.cacheCapBytes() - evictableBytes - pinnedBytes) {
            return false;
        }
        evictableBytes += bytes;
        return true;
    }

    void releaseEvictable(long bytes) {
        evictableBytes -= bytes;
    }

    /** Moves bytes from evictable to pinned, or back when negative. */
    void pin(long bytes) {
        evictableBytes -= bytes;
        pinnedBytes += bytes;
    }

    /** For assertions: every sum equals what its entries add up to, none is negative, and both equations hold. */
    boolean balanced() {
        int seenActive = 0;
        long live = 0;
        long frozen = 0;
        long owners = 0;
        for (GrantEntry entry = oldest; entry != null; entry = entry.newer) {
            if (entry.frozen == null) {
                seenActive++;
                live += entry.grantBytes;
            } else {
                frozen += entry.frozen;
            }
            owners += entry.residentOwnerBytes;
        }
        return seenActive == active
                && live == liveGrantBytes
                && frozen == frozenResidentBytes
                && owners == residentOwnerBytes
                && frozen >= 0
                && owners >= 0
                && active <= profile.maxActive()
                && frozen + live <= profile.queryShareBytes()
                && evictableBytes >= 0
                && pinnedBytes >= 0
                && evictableBytes + pinnedBytes <= profile.cacheCapBytes();
    }
}
