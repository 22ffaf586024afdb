package dev.weighlock.query.device;

import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.FactKey;
import dev.weighlock.query.Facts;
import dev.weighlock.query.QueryException;
import dev.weighlock.query.Reason;
import java.util.Optional;

/**
 * The charges of a device's cache share, apart from every grant: {@code evictable + pinned <= K}. A shortfall is refused,
 * never clamped; zero bytes do nothing. Any thread; the ledger's lock guards the counts.
 */
public final class CacheShare {
    private final DeviceLedger ledger;

    CacheShare(DeviceLedger ledger) {
        this.ledger = ledger;
    }

    /** Charges a new cache entry; empty when the share has no room. */
    public Optional<CacheEntry> tryCharge(long bytes) {
        return tryReserve(bytes) ? Optional.of(new CacheEntry(this, bytes)) : Optional.empty();
    }

    /** Charges evictable bytes; false when the share has no room. */
    public boolean tryReserve(long bytes) {
        if (isNothing(bytes)) {
            return true;
        }
        return ledger.decide("reserve_evictable", () -> {
            if (!ledger.books().reserveEvictable(bytes)) {
                return false;
            }
            ledger.commit(TransitionKind.EVICTABLE_CHARGED);
            return true;
        });
    }

    /** Moves bytes from evictable to pinned. */
    void pin(long bytes) {
        move(bytes, "pin_cache_charge", () -> {
            requireEvictable(bytes, Facts.of(Reason.CACHE_EVICTABLE_CHARGE_MISSING));
            ledger.books().pin(bytes);
            return ledger.commit(TransitionKind.CACHE_PINNED);
        });
    }

    /** Moves bytes from pinned back to evictable. */
    void unpin(long bytes) {
        move(bytes, "unpin_cache_charge", () -> {
            long pinned = ledger.books().pinnedBytes();
            if (pinned < bytes) {
                throw shortfall(bytes, Facts.of(Reason.CACHE_PINNED_CHARGE_MISSING), FactKey.PINNED_BYTES, pinned);
            }
            ledger.books().pin(-bytes);
            return ledger.commit(TransitionKind.CACHE_UNPINNED);
        });
    }

    /** Returns the charge of an entry whose memory is gone. */
    void releaseDestroyed(long bytes) {
        releaseExact(bytes, "release_destroyed_cache_charge");
    }

    /** Returns what was charged in advance and never used. */
    void releasePrecharge(long bytes) {
        releaseExact(bytes, "release_cache_precharge");
    }

    private void releaseExact(long bytes, String action) {
        move(bytes, action, () -> {
            requireEvictable(bytes, Facts.of(Reason.CACHE_EXACT_CHARGE_MISSING).with(FactKey.ACTION, action));
            ledger.books().releaseEvictable(bytes);
            return ledger.commit(TransitionKind.EVICTABLE_RELEASED);
        });
    }

    private void move(long bytes, String action, java.util.function.Supplier<LedgerTransition> change) {
        if (!isNothing(bytes)) {
            ledger.decide(action, change);
        }
    }

    private void requireEvictable(long bytes, Facts facts) {
        long evictable = ledger.books().evictableBytes();
        if (evictable < bytes) {
            throw shortfall(bytes, facts, FactKey.EVICTABLE_BYTES, evictable);
        }
    }

    private static QueryException shortfall(long bytes, Facts facts, FactKey chargeKey, long charge) {
        return new QueryException(
                ErrorCode.INTERNAL,
                DeviceLedger.OPERATION,
                "the cache asks for more bytes than it is charged with; nothing was moved",
                facts.with(FactKey.REQUESTED_BYTES, bytes).with(chargeKey, charge));
    }

    private static boolean isNothing(long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("a cache charge cannot be negative: " + bytes);
        }
        return bytes == 0;
    }
}
