package dev.weighlock.query.device;

import static dev.weighlock.query.testing.TestDevices.host;
import static dev.weighlock.query.testing.TestDevices.ledger;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.weighlock.query.QueryException;
import org.junit.jupiter.api.Test;

class CacheShareTest {
    private final DeviceLedger ledger = ledger(host(0, 100, 2).cacheCap(30));
    private final CacheShare cache = ledger.cache();

    @Test
    void entry_movesBytesOnlyAtTheFirstPinAndTheLastUnpin() {
        CacheEntry entry = cache.tryCharge(20).orElseThrow();
        CacheEntry.Pin first = entry.pin();
        CacheEntry.Pin second = entry.pin();
        assertThat(ledger.snapshot().cachePinnedBytes()).isEqualTo(20);
        assertThat(ledger.snapshot().sequence()).isEqualTo(2);

        first.close();
        first.close();
        assertThat(ledger.snapshot().cachePinnedBytes()).isEqualTo(20);
        second.close();
        assertThat(ledger.snapshot().cacheEvictableBytes()).isEqualTo(20);
        assertThat(ledger.snapshot().sequence()).isEqualTo(3);
    }

    @Test
    void entry_shrinksToWhatItUses_andReturnsTheRestOnceDestroyed() {
        CacheEntry entry = cache.tryCharge(20).orElseThrow();
        entry.shrinkTo(12);
        assertThat(ledger.snapshot().cacheEvictableBytes()).isEqualTo(12);
        assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> entry.shrinkTo(13));

        entry.releaseDestroyed();
        entry.releaseDestroyed();
        assertThat(ledger.snapshot().cacheEvictableBytes()).isZero();
        assertThatExceptionOfType(IllegalStateException.class).isThrownBy(entry::pin);
    }

    @Test
    void pinnedEntry_cannotBeDestroyed() {
        CacheEntry entry = cache.tryCharge(20).orElseThrow();
        try (CacheEntry.Pin pin = entry.pin()) {
            assertThat(pin).isNotNull();
            assertThatExceptionOfType(IllegalStateException.class).isThrownBy(entry::releaseDestroyed);
        }
        entry.releaseDestroyed();
    }

    @Test
    void charge_beyondTheShare_isRefusedWhole() {
        assertThat(cache.tryCharge(31)).isEmpty();
        assertThat(cache.tryCharge(30)).isPresent();
        assertThat(cache.tryCharge(1)).isEmpty();
    }

    @Test
    void shortfalls_areRefusedWithTheFiguresAndMoveNothing() {
        assertThat(cache.tryReserve(10)).isTrue();

        assertShortfall(
                () -> cache.pin(11), "reason=cache_evictable_charge_missing, requested_bytes=11, evictable_bytes=10");
        assertShortfall(() -> cache.unpin(1), "reason=cache_pinned_charge_missing, requested_bytes=1, pinned_bytes=0");
        assertShortfall(
                () -> cache.releaseDestroyed(11),
                "reason=cache_exact_charge_missing, action=release_destroyed_cache_charge, requested_bytes=11,"
                        + " evictable_bytes=10");
        assertShortfall(
                () -> cache.releasePrecharge(11),
                "reason=cache_exact_charge_missing, action=release_cache_precharge, requested_bytes=11,"
                        + " evictable_bytes=10");
        assertThat(ledger.snapshot().cacheEvictableBytes()).isEqualTo(10);
        assertThat(ledger.snapshot().sequence()).isEqualTo(1);
    }

    @Test
    void zeroBytes_doNothingAnywhere() {
        assertThat(cache.tryReserve(0)).isTrue();
        cache.pin(0);
        cache.unpin(0);
        cache.releaseDestroyed(0);
        cache.releasePrecharge(0);

        assertThat(ledger.snapshot().sequence()).isZero();
    }

    private static void assertShortfall(Runnable action, String facts) {
        assertThatExceptionOfType(QueryException.class)
                .isThrownBy(action::run)
                .satisfies(refusal -> assertThat(refusal.facts()).hasToString(facts));
    }
}
