package dev.weighlock.query.device;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The ledger as plain arithmetic: every figure is added up again whenever somebody asks. */
final class LedgerModel {
    static final class ModelGrant {
        final long bytes;
        int holders = 1;
        long ownerBytes;

        @Nullable
        Long prepared;

        @Nullable
        Long frozen;

        ModelGrant(long bytes) {
            this.bytes = bytes;
        }

        boolean isFrozen() {
            return prepared != null || frozen != null;
        }
    }

    final long queryShare;
    final long cacheCap;
    final long defaultLimit;
    final int maxActive;
    final List<ModelGrant> grants = new ArrayList<>();
    long evictable;
    long pinned;
    long sequence;
    long closures;
    boolean poisoned;

    LedgerModel(DeviceProfile profile) {
        queryShare = profile.queryShareBytes();
        cacheCap = profile.cacheCapBytes();
        defaultLimit = profile.defaultQueryLimitBytes();
        maxActive = profile.maxActive();
    }

    long frozenBytes() {
        return grants.stream()
                .mapToLong(grant -> grant.frozen == null ? 0 : grant.frozen)
                .sum();
    }

    long liveBytes() {
        return grants.stream()
                .mapToLong(grant -> grant.frozen == null ? grant.bytes : 0)
                .sum();
    }

    int active() {
        return (int) grants.stream().filter(grant -> grant.frozen == null).count();
    }

    long ownerBytes() {
        return grants.stream().mapToLong(grant -> grant.ownerBytes).sum();
    }

    /** The model's grant, null where the ledger has to say wait. */
    @Nullable
    ModelGrant admit(long explicitBytes) {
        long bytes = explicitBytes > 0 ? explicitBytes : Math.min(defaultLimit, queryShare - frozenBytes());
        if (closures > 0 || active() + 1 > maxActive || bytes <= 0) {
            return null;
        }
        if (frozenBytes() + liveBytes() + bytes > queryShare) {
            return null;
        }
        ModelGrant grant = new ModelGrant(bytes);
        grants.add(grant);
        sequence++;
        return grant;
    }

    void release(ModelGrant grant) {
        grant.holders--;
        if (grant.holders == 0) {
            grants.remove(grant);
            sequence++;
        }
    }

    void close() {
        closures++;
        sequence++;
    }

    void closeIfOpen() {
        if (closures == 0 && !poisoned) {
            close();
        }
    }

    void addOwner(ModelGrant grant, long bytes) {
        grant.ownerBytes += bytes;
        grant.holders++;
        sequence++;
    }

    /** One resident goes; the ledger cannot see the difference between owners once it rebased them. */
    void releaseOwner(ModelGrant grant, long bytes, boolean fenced) {
        if (grant.isFrozen() && !fenced) {
            closeIfOpen();
        }
        grant.ownerBytes = Math.max(0, grant.ownerBytes - bytes);
        sequence++;
        release(grant);
    }

    void prepare(ModelGrant grant, long bytes, boolean measured) {
        grant.prepared = bytes;
        if (measured && grant.ownerBytes != bytes) {
            grant.ownerBytes = bytes;
            sequence++;
        }
    }

    void publish(ModelGrant grant) {
        grant.frozen = grant.prepared;
        grant.prepared = null;
        sequence++;
    }

    boolean reserve(long bytes) {
        if (evictable + pinned + bytes > cacheCap) {
            return false;
        }
        evictable += bytes;
        sequence++;
        return true;
    }
}
