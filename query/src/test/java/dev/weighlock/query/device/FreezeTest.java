package dev.weighlock.query.device;

import static dev.weighlock.query.testing.TestDevices.ledger;
import static dev.weighlock.query.testing.TestDevices.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.QueryException;
import dev.weighlock.query.testing.ScriptedDomain;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FreezeTest {
    private final DeviceLedger ledger = ledger(0, 100, 2);
    private final Grant grant = ledger.tryAdmit(request(60)).orElseThrow();
    private final ScriptedDomain domain = new ScriptedDomain();

    @AfterEach
    void letGo() {
        grant.close();
    }

    @Test
    void prepare_rebasesTheOwnersOnce_alsoDownwards_andChargesTheFullGrant() {
        ResidentLease resident = grant.retainResident(50).orElseThrow();
        long before = ledger.snapshot().sequence();
        List<TransitionKind> kinds = new ArrayList<>();
        ledger.observeTransitions(transition -> kinds.add(transition.kind()));

        grant.prepareFreeze(20, domain);

        assertThat(kinds).containsExactly(TransitionKind.RESIDENT_OWNER_CHARGED);
        LedgerSnapshot snapshot = ledger.snapshot();
        assertThat(snapshot.sequence()).isEqualTo(before + 1);
        assertThat(snapshot.residentOwnerBytes()).isEqualTo(20);
        assertThat(snapshot.liveGrantBytes()).isEqualTo(60);
        assertThat(snapshot.frozenResidentBytes()).isZero();
        assertThat(snapshot.active()).isEqualTo(1);
        assertThat(grant.isFrozen()).isTrue();
        assertThat(grant.residentOwnerBytes()).isEqualTo(20);
        assertThat(resident.isFrozen()).isTrue();
        resident.close();
    }

    @Test
    void prepare_whenTheOwnersAlreadyAgree_raisesNothing() {
        try (var resident = grant.retainResident(20).orElseThrow()) {
            long before = ledger.snapshot().sequence();

            grant.prepareFreeze(20, domain);

            assertThat(ledger.snapshot().sequence()).isEqualTo(before);
            assertThat(resident.isFrozen()).isTrue();
        }
    }

    @Test
    void prepare_ofNegativeBytes_isAViolationAndGivesNoRoomAway() {
        assertViolation(() -> grant.prepareFreeze(-1), "memory_grant.freeze", "resident_bytes=-1");
        assertViolation(() -> grant.prepareFreeze(-1, domain), "memory_grant.reconcile", "resident_bytes=-1");

        assertThat(grant.isFrozen()).isFalse();
        assertThat(ledger.snapshot().frozenResidentBytes()).isZero();
        assertThat(ledger.tryAdmit(request(41))).isEmpty();
    }

    @Test
    void prepare_repeatedWithTheSame_doesNothing() {
        grant.prepareFreeze(20, domain);
        long before = ledger.snapshot().sequence();

        grant.prepareFreeze(20, domain);
        grant.publishFreeze();
        grant.prepareFreeze(20, domain);

        assertThat(ledger.snapshot().sequence()).isEqualTo(before + 1);
    }

    @Test
    void prepare_repeatedWithOtherBytesOrDomain_isAViolation() {
        grant.prepareFreeze(20, domain);

        assertViolation(
                () -> grant.prepareFreeze(21, domain),
                "memory_grant.freeze",
                "grant_id=1, existing_resident_bytes=20, resident_bytes=21");
        assertViolation(
                () -> grant.prepareFreeze(20, new ScriptedDomain()),
                "memory_grant.freeze",
                "grant_id=1, existing_resident_bytes=20, resident_bytes=20");
        assertViolation(() -> grant.prepareFreeze(20), "memory_grant.freeze", "existing_resident_bytes=20");
        assertThat(ledger.snapshot().residentOwnerBytes()).isEqualTo(20);
    }

    @Test
    void prepare_aboveTheCap_isAViolationAndChangesNothing() {
        assertViolation(
                () -> grant.prepareFreeze(61, domain),
                "memory_grant.reconcile",
                "measured_bytes=61, query_cap_bytes=60");
        assertViolation(() -> grant.prepareFreeze(61), "memory_grant.freeze", "resident_bytes=61, query_cap_bytes=60");
        assertThat(grant.isFrozen()).isFalse();
    }

    @Test
    void validateAndPublish_withoutPrepare_areViolations() {
        assertViolation(grant::validateFreeze, "memory_grant.validate", "grant_id=1");
        assertViolation(grant::publishFreeze, "memory_grant.publish", "grant_id=1");
    }

    @Test
    void everyStep_afterTheGrantLeft_isAViolation() {
        grant.close();

        assertViolation(() -> grant.prepareFreeze(1), "memory_grant.freeze", "grant_id=1");
        assertViolation(grant::validateFreeze, "memory_grant.validate", "grant_id=1");
        assertViolation(grant::publishFreeze, "memory_grant.publish", "grant_id=1");
    }

    @Test
    void frozenBytes_thatWouldOverflow_areAViolationBeforeAnythingMoves() {
        grant.prepareFreeze(60);
        ledger.books().freezeForeignBytes(Long.MAX_VALUE - 10);

        assertViolation(grant::validateFreeze, "memory_grant.validate", "resident_bytes=60");
        assertViolation(grant::publishFreeze, "memory_grant.publish", "resident_bytes=60");
        ledger.books().freezeForeignBytes(10 - Long.MAX_VALUE);
        grant.publishFreeze();
    }

    @Test
    void publish_movesTheBytes_freesTheSlot_andMayBeRepeated() {
        Grant second = ledger.tryAdmit(request(40)).orElseThrow();
        grant.prepareFreeze(20, domain);
        grant.validateFreeze();
        assertThat(ledger.tryAdmit(request(1))).isEmpty();

        grant.publishFreeze();
        long sequence = ledger.snapshot().sequence();
        grant.publishFreeze();
        grant.validateFreeze();

        LedgerSnapshot snapshot = ledger.snapshot();
        assertThat(snapshot.sequence()).isEqualTo(sequence);
        assertThat(snapshot.frozenResidentBytes()).isEqualTo(20);
        assertThat(snapshot.liveGrantBytes()).isEqualTo(40);
        assertThat(snapshot.active()).isEqualTo(1);
        assertThat(snapshot.availableBytes()).isEqualTo(40);
        try (Grant third = ledger.tryAdmit(request(40)).orElseThrow()) {
            assertThat(third.bytes()).isEqualTo(40);
        }
        second.close();
    }

    @Test
    void releaseHook_ofAFrozenGrant_runsOnceAtThePublish_beforeAdmissionHears() {
        List<String> heard = new ArrayList<>();
        GrantRequest plain = request(30);
        GrantRequest hooked =
                new GrantRequest(plain.id(), plain.attempt(), plain.cap(), "holder", () -> heard.add("hook"));
        ledger.observeAdmission(transition -> heard.add(transition.kind().name()));
        try (Grant frozen = ledger.tryAdmit(hooked).orElseThrow()) {
            frozen.prepareFreeze(20, domain);
            assertThat(heard).isEmpty();

            frozen.publishFreeze();
            frozen.publishFreeze();

            assertThat(heard).containsExactly("hook", "GRANT_FROZEN");
        }
        assertThat(heard).containsExactly("hook", "GRANT_FROZEN", "GRANT_RELEASED");
    }

    @Test
    void release_ofAFrozenGrant_returnsItsResidentBytes() {
        grant.prepareFreeze(20, domain);
        grant.publishFreeze();

        grant.close();

        assertThat(ledger.snapshot().frozenResidentBytes()).isZero();
        assertThat(ledger.snapshot().active()).isZero();
        assertThat(ledger.health().isOpen()).isTrue();
    }

    @Test
    void release_betweenPrepareAndPublish_returnsTheFullGrant() {
        grant.prepareFreeze(20, domain);

        grant.close();

        assertThat(ledger.snapshot().liveGrantBytes()).isZero();
        assertThat(ledger.snapshot().frozenResidentBytes()).isZero();
    }

    @Test
    void frozenDomain_notAtZeroAtTheFinalRelease_closesTheDevice() {
        grant.prepareFreeze(20, domain);
        grant.publishFreeze();
        domain.currentBytes(1);

        grant.close();

        assertThat(ledger.health())
                .isInstanceOfSatisfying(
                        DeviceHealth.Closed.class,
                        closed -> assertThat(closed.reason()).contains("not empty"));
        assertThat(ledger.snapshot().frozenResidentBytes()).isZero();
    }

    @Test
    void frozenDomain_thatCannotBeSampled_closesTheDevice() {
        grant.prepareFreeze(20, domain);
        domain.failSampling();

        grant.close();

        assertThat(ledger.health())
                .isInstanceOfSatisfying(
                        DeviceHealth.Closed.class,
                        closed -> assertThat(closed.reason()).contains("could not be sampled"));
        assertThat(ledger.snapshot().active()).isZero();
    }

    private static void assertViolation(Runnable action, String operation, String facts) {
        assertThatExceptionOfType(QueryException.class).isThrownBy(action::run).satisfies(violation -> {
            assertThat(violation.code()).isEqualTo(ErrorCode.INVARIANT_VIOLATION);
            assertThat(violation.operation()).isEqualTo(operation);
            assertThat(violation.facts().toString()).contains(facts);
        });
    }
}
