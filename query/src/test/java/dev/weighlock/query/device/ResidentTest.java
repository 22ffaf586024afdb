package dev.weighlock.query.device;

import static dev.weighlock.query.testing.TestDevices.ledger;
import static dev.weighlock.query.testing.TestDevices.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.QueryException;
import dev.weighlock.query.testing.ScriptedDomain;
import dev.weighlock.query.testing.ScriptedGeneration;
import dev.weighlock.query.testing.ScriptedStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ResidentTest {
    private final DeviceLedger ledger = ledger(0, 100, 2);
    private final Grant grant = ledger.tryAdmit(request(60)).orElseThrow();

    @AfterEach
    void letGo() {
        grant.close();
    }

    @Test
    void resident_ofZeroBytes_isNone() {
        assertThat(grant.retainResident(0)).isEmpty();
        assertThat(ledger.snapshot().sequence()).isEqualTo(1);
        assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> grant.retainResident(-1));
    }

    @Test
    void resident_keepsItsGrantAfterTheAttemptLetGo() {
        ResidentLease resident = grant.retainResident(10).orElseThrow();
        grant.close();
        assertThat(ledger.snapshot().liveGrantBytes()).isEqualTo(60);

        resident.close();
        resident.close();
        assertThat(ledger.snapshot().liveGrantBytes()).isZero();
        assertThat(ledger.snapshot().residentOwnerBytes()).isZero();
    }

    @Test
    void sharedLease_releasesItsChargeAtTheLastClose() {
        ResidentLease one = grant.retainResident(10).orElseThrow();
        ResidentLease other = one.share();
        one.close();
        assertThat(grant.residentOwnerBytes()).isEqualTo(10);

        other.close();
        assertThat(grant.residentOwnerBytes()).isZero();
        assertThatExceptionOfType(IllegalStateException.class).isThrownBy(one::share);
    }

    @Test
    void derivedResident_isChargedToTheSameGrant() {
        ResidentLease resident = grant.retainResident(10).orElseThrow();
        ResidentLease derived = resident.retainDerived(5).orElseThrow();

        assertThat(derived.belongsTo(grant)).isTrue();
        assertThat(derived.bytes()).isEqualTo(5);
        assertThat(grant.residentOwnerBytes()).isEqualTo(15);
        assertThat(grant.residentCount()).isEqualTo(2);
        assertThat(resident.retainDerived(0)).isEmpty();
        derived.close();
        resident.close();
    }

    @Test
    void backingAllocations_areSortedUniqueAndWithoutZero() {
        ResidentLease one = grant.retainResident(10).orElseThrow();
        ResidentLease other = grant.retainResident(10).orElseThrow();
        one.setBackingAllocations(9, 0, 3, 9);
        other.setBackingAllocations(3, 4);

        assertThat(grant.backingAllocations()).containsExactly(3L, 4L, 9L);
        one.close();
        one.setBackingAllocations(1);
        assertThat(grant.backingAllocations()).containsExactly(3L, 4L);
        other.close();
    }

    @Test
    void resident_betweenPrepareAndPublish_isAddedAndAfterItRefused() {
        ScriptedDomain domain = new ScriptedDomain();
        grant.prepareFreeze(20, domain);
        ResidentLease between = grant.retainResident(5).orElseThrow();
        assertThat(grant.residentOwnerBytes()).isEqualTo(25);

        grant.publishFreeze();
        assertThatExceptionOfType(QueryException.class)
                .isThrownBy(() -> grant.retainResident(5))
                .matches(refusal -> refusal.code() == ErrorCode.INVARIANT_VIOLATION
                        && refusal.operation().equals("memory_grant.add_owner"));
        assertThat(grant.residentCount()).isEqualTo(1);
        between.close();
    }

    @Test
    void resident_afterTheGrantLeft_isRefused() {
        grant.close();

        assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> grant.retainResident(5));
    }

    @Test
    void residentBytes_thatWouldOverflow_areRefusedAndNothingIsKept() {
        ResidentLease large = grant.retainResident(Long.MAX_VALUE - 1).orElseThrow();

        assertThatExceptionOfType(QueryException.class)
                .isThrownBy(() -> grant.retainResident(2))
                .withMessageContaining("overflow");
        large.close();
        grant.close();
        assertThat(ledger.snapshot().active()).isZero();
    }

    @Test
    void overRelease_beforePrepare_isRefused_andFromPrepareOnClampsToZero() {
        ResidentLease first = grant.retainResident(30).orElseThrow();
        ResidentLease second = grant.retainResident(30).orElseThrow();
        ScriptedStream stream = new ScriptedStream("s");
        first.recordCompletion(stream);
        second.recordCompletion(stream);
        grant.prepareFreeze(40, new ScriptedDomain()); // both share memory
        assertThat(grant.residentOwnerBytes()).isEqualTo(40);

        first.close();
        assertThat(grant.residentOwnerBytes()).isEqualTo(10);
        second.close();
        assertThat(grant.residentOwnerBytes()).isZero();

        Grant other = ledger.tryAdmit(request(10)).orElseThrow();
        ResidentLease charged = other.retainResident(5).orElseThrow();
        ledger.guard().release("test", () -> {
            ledger.books().setResidentOwnerBytes(other.root().entry(), 3);
            return null;
        });
        charged.close();
        assertThat(other.residentOwnerBytes()).isEqualTo(3);
        other.close();
    }

    @Test
    void resident_ofAClosingGeneration_isRefused_andAnOpenOneIsKeptAlive() {
        ScriptedGeneration generation = new ScriptedGeneration();
        grant.bindGeneration(generation);
        ResidentLease resident = grant.retainResident(5).orElseThrow();
        assertThat(generation.leases()).isEqualTo(1);

        generation.close();
        assertThatExceptionOfType(QueryException.class)
                .isThrownBy(() -> grant.retainResident(5))
                .matches(refusal -> refusal.code() == ErrorCode.CANCELLED);
        assertThat(grant.residentOwnerBytes()).isEqualTo(5);

        grant.close();
        assertThat(generation.leases()).isEqualTo(1);
        resident.close();
        assertThat(generation.leases()).isZero();
        assertThat(ledger.snapshot().active()).isZero();
    }
}
