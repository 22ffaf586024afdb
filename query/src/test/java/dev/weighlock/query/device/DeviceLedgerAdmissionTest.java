package dev.weighlock.query.device;

import static dev.weighlock.query.testing.TestDevices.host;
import static dev.weighlock.query.testing.TestDevices.ledger;
import static dev.weighlock.query.testing.TestDevices.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.QueryException;
import dev.weighlock.query.Reason;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DeviceLedgerAdmissionTest {
    @Test
    void tryAdmit_atTheExactBoundary_admitsAndOneByteMoreWaits() {
        DeviceLedger ledger = ledger(0, 100, 8);
        try (Grant first = ledger.tryAdmit(request(60)).orElseThrow()) {
            assertThat(ledger.tryAdmit(request(41))).isEmpty();
            try (Grant second = ledger.tryAdmit(request(40)).orElseThrow()) {
                assertThat(first.bytes() + second.bytes()).isEqualTo(100);
                assertThat(ledger.snapshot().availableBytes()).isZero();
            }
        }
        assertThat(ledger.snapshot().availableBytes()).isEqualTo(100);
    }

    @Test
    void cacheCharge_atTheExactBoundary_fitsAndOneByteMoreIsRefused() {
        DeviceLedger ledger = ledger(host(0, 100, 2).cacheCap(30));

        assertThat(ledger.cache().tryReserve(30)).isTrue();
        assertThat(ledger.cache().tryReserve(1)).isFalse();
    }

    @Test
    void cacheFirst_andQueryFirst_promiseTheSame() {
        DeviceLedger cacheFirst = ledger(host(0, 100, 2).cacheCap(30));
        DeviceLedger queryFirst = ledger(host(1, 100, 2).cacheCap(30));

        assertThat(cacheFirst.cache().tryReserve(30)).isTrue();
        try (Grant one = cacheFirst.tryAdmit(request(70)).orElseThrow();
                Grant other = queryFirst.tryAdmit(request(70)).orElseThrow()) {
            assertThat(queryFirst.cache().tryReserve(30)).isTrue();
            assertThat(one.bytes()).isEqualTo(other.bytes());
        }
    }

    @Test
    void defaultCap_isTheLimitOrWhatResidentsLeave() {
        DeviceLedger ledger = ledger(host(0, 100, 4).defaultQueryLimit(50));
        assertThat(ledger.snapshot().capBytes(QueryCap.DEFAULT)).isEqualTo(50);

        try (Grant frozen = ledger.tryAdmit(request(80)).orElseThrow()) {
            frozen.prepareFreeze(70);
            frozen.publishFreeze();
            try (Grant grant = ledger.tryAdmit(request(QueryCap.DEFAULT)).orElseThrow()) {
                assertThat(grant.bytes()).isEqualTo(30);
            }
        }
    }

    @Test
    void defaultCap_besideLiveGrants_isNotClampedToWhatIsFree() {
        DeviceLedger ledger = ledger(host(0, 100, 4).defaultQueryLimit(50));
        try (Grant large = ledger.tryAdmit(request(60)).orElseThrow()) {
            assertThat(ledger.tryAdmit(request(QueryCap.DEFAULT))).isEmpty();
            assertThat(large.bytes()).isEqualTo(60);
        }
    }

    @Test
    void defaultCap_whenResidentsFillTheShare_waits() {
        DeviceLedger ledger = ledger(0, 100, 4);
        try (Grant frozen = ledger.tryAdmit(request(100)).orElseThrow()) {
            frozen.prepareFreeze(100);
            frozen.publishFreeze();

            assertThat(ledger.tryAdmit(request(QueryCap.DEFAULT))).isEmpty();
            assertThat(ledger.canEverFit(QueryCap.DEFAULT)).isFalse();
        }
    }

    @Test
    void explicitZeroCap_isRefusedAsInvalidPlan() {
        DeviceLedger ledger = ledger(0, 100, 4);
        GrantRequest zero = request(0);

        assertThatExceptionOfType(QueryException.class)
                .isThrownBy(() -> ledger.tryAdmit(zero))
                .satisfies(refusal -> {
                    assertThat(refusal.code()).isEqualTo(ErrorCode.INVALID_PLAN);
                    assertThat(refusal.facts().toString())
                            .isEqualTo("reason=zero_query_cap, admission_request_id=" + zero.id());
                });
        assertThat(ledger.snapshot().sequence()).isZero();
    }

    @Test
    void tryAdmit_withoutAFreeSlot_waitsAlthoughRoomIsLeft() {
        DeviceLedger ledger = ledger(0, 100, 1);
        try (Grant only = ledger.tryAdmit(request(1)).orElseThrow()) {
            assertThat(ledger.tryAdmit(request(1))).isEmpty();
            assertThat(ledger.canEverFit(QueryCap.of(100))).isTrue();
            assertThat(only.grantId()).isEqualTo(1);
        }
    }

    @Test
    void tryAdmit_onAClosedDevice_waitsAndRunningGrantsStillRelease() {
        DeviceLedger ledger = ledger(0, 100, 4);
        Grant running = ledger.tryAdmit(request(10)).orElseThrow();
        ledger.closeAdmission("fault");

        assertThat(ledger.tryAdmit(request(10))).isEmpty();
        running.close();
        assertThat(ledger.snapshot().active()).isZero();
    }

    @Test
    void canEverFit_countsThisMomentsResidentsAndNoGrant() {
        DeviceLedger ledger = ledger(0, 100, 4);
        try (Grant frozen = ledger.tryAdmit(request(40)).orElseThrow();
                Grant live = ledger.tryAdmit(request(60)).orElseThrow()) {
            frozen.prepareFreeze(30);
            frozen.publishFreeze();

            assertThat(ledger.canEverFit(QueryCap.of(70))).isTrue();
            assertThat(ledger.canEverFit(QueryCap.of(71))).isFalse();
            assertThat(live.bytes()).isEqualTo(60);
        }
    }

    @Test
    void grantIds_startAtOneAndAreNeverUsedTwice() {
        DeviceLedger ledger = ledger(0, 100, 4);
        for (long expected = 1; expected <= 5; expected++) {
            try (Grant grant = ledger.tryAdmit(request(10)).orElseThrow()) {
                assertThat(grant.grantId()).isEqualTo(expected);
            }
        }
    }

    @Test
    void tryAdmit_withoutGrantIdsLeft_isAnInternalError() {
        DeviceLedger ledger = new DeviceLedger(host(3, 100, 4).resolve(), () -> 0, Long.MAX_VALUE);

        assertThatExceptionOfType(QueryException.class)
                .isThrownBy(() -> ledger.tryAdmit(request(10)))
                .matches(refusal -> refusal.facts().has(Reason.GRANT_GENERATION_EXHAUSTED));
        assertThat(ledger.snapshot().active()).isZero();
    }

    @Test
    void grant_closedTwice_returnsItsBytesOnce() {
        DeviceLedger ledger = ledger(0, 100, 4);
        Grant first = ledger.tryAdmit(request(10)).orElseThrow();
        Optional<Grant> second = ledger.tryAdmit(request(20));
        first.close();
        first.close();

        assertThat(ledger.snapshot().liveGrantBytes()).isEqualTo(20);
        second.orElseThrow().close();
    }

    @Test
    void sharedGrant_returnsItsBytesAtTheLastClose() {
        DeviceLedger ledger = ledger(0, 100, 4);
        Grant first = ledger.tryAdmit(request(10)).orElseThrow();
        Grant second = first.share();
        first.close();
        assertThat(ledger.snapshot().liveGrantBytes()).isEqualTo(10);

        second.close();
        assertThat(ledger.snapshot().liveGrantBytes()).isZero();
        assertThatExceptionOfType(IllegalStateException.class).isThrownBy(first::share);
    }

    @Test
    void release_ofAnEntryThatLeft_isIgnored() {
        DeviceLedger ledger = ledger(0, 100, 4);
        Grant grant = ledger.tryAdmit(request(10)).orElseThrow();
        grant.close();
        long sequence = ledger.snapshot().sequence();

        ledger.release(grant.root().entry(), HeldLedgers.current());

        assertThat(ledger.snapshot().sequence()).isEqualTo(sequence);
        assertThat(ledger.snapshot().active()).isZero();
    }

    @Test
    void lanes_followTheActiveAttempts() {
        DeviceLedger ledger = ledger(host(0, 100, 3).sourceWork(2).lanes(11, 12).defaultQueryLimit(10));
        try (Grant one = ledger.tryAdmit(request(1)).orElseThrow();
                Grant two = ledger.tryAdmit(request(1)).orElseThrow()) {
            LedgerSnapshot snapshot = ledger.snapshot();
            assertThat(snapshot.rootStreamsAvailable()).isEqualTo(1);
            assertThat(snapshot.rootWorkerSlotsAvailable()).isEqualTo(1);
            assertThat(snapshot.auxiliaryStreamsAvailable()).isEqualTo(8 - 4);
            assertThat(snapshot.auxiliaryWorkerSlotsAvailable()).isEqualTo(8 - 4);
            assertThat(snapshot.workerDepth()).isEqualTo(6);
            assertThat(one.grantId()).isLessThan(two.grantId());
        }
    }
}
