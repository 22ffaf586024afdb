package dev.weighlock.query.admission;

import static dev.weighlock.query.admission.AdmissionFixture.bytes;
import static dev.weighlock.query.admission.AdmissionFixture.error;
import static dev.weighlock.query.admission.AdmissionFixture.grant;
import static dev.weighlock.query.testing.TestDevices.host;
import static dev.weighlock.query.testing.TestDevices.ledger;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.Reason;
import dev.weighlock.query.device.DeviceHealth;
import dev.weighlock.query.device.DeviceLedger;
import dev.weighlock.query.device.FaultIsolation;
import dev.weighlock.query.device.Grant;
import dev.weighlock.query.device.LedgerPoison;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AdmissionDevicesTest {
    @Test
    void devices_areRankedByFreeBytesThenActiveThenOrdinal() {
        AdmissionFixture admission =
                new AdmissionFixture(ledger(0, 100, 8), ledger(1, 120, 8), ledger(2, 100, 8), ledger(3, 100, 8));
        List<Integer> chosen = new ArrayList<>();
        List<Grant> grants = new ArrayList<>();
        for (long cap : List.of(20L, 10L, 10L, 10L, 10L)) {
            Grant grant = admission.admitted(cap);
            chosen.add(grant.deviceOrdinal());
            grants.add(grant);
        }

        assertThat(chosen).containsExactly(1, 0, 2, 3, 1);
        grants.forEach(Grant::close);
    }

    @Test
    void capabilities_areAHardFilter() {
        AdmissionFixture admission = new AdmissionFixture(
                ledger(host(0, 1_000, 8)), ledger(host(1, 100, 1).capabilities(Set.of("parquet", "gpu"))));
        Grant special = admission.admitted(bytes(10).withCapabilities(Set.of("gpu")));
        assertThat(special.deviceOrdinal()).isEqualTo(1);

        AdmissionTicket waiting = admission.waiting(bytes(10).withCapabilities(Set.of("gpu")));
        assertThat(admission
                        .refused(bytes(101).withCapabilities(Set.of("gpu")))
                        .facts()
                        .has(Reason.QUERY_CAP_EXCEEDS_CAPACITY))
                .isTrue();
        assertThat(admission
                        .refused(bytes(1).withCapabilities(Set.of("quantum")))
                        .code())
                .isEqualTo(ErrorCode.QUERY_BUDGET_UNAVAILABLE);
        special.close();
        grant(waiting).close();
    }

    @Test
    void deviceClosedWhileSomeQueue_leavesThemToTheOther_andTellsThoseItStrands() {
        DeviceLedger small = ledger(0, 100, 8);
        DeviceLedger large = ledger(1, 200, 8);
        AdmissionFixture admission = new AdmissionFixture(small, large);
        Grant first = admission.admitted(200);
        Grant second = admission.admitted(100);
        AdmissionTicket fitsBoth = admission.waiting(50);
        AdmissionTicket fitsOne = admission.waiting(150);

        large.closeAdmissionIfOpen("device fault");

        assertThat(error(fitsOne).code()).isEqualTo(ErrorCode.DEVICE_FAULT);
        assertThat(error(fitsOne).facts().has(Reason.BACKEND_UNHEALTHY)).isTrue();
        assertThat(fitsBoth.outcome()).isEmpty();
        assertThat(admission.refused(bytes(150)).code()).isEqualTo(ErrorCode.DEVICE_FAULT);
        second.close();
        assertThat(grant(fitsBoth).deviceOrdinal()).isZero();
        grant(fitsBoth).close();
        first.close();
        assertThat(large.snapshot().active()).isZero();
    }

    @Test
    void roomKeptOnADeviceThatCloses_isKeptOnTheOther() {
        DeviceLedger faulty = ledger(0, 110, 8);
        AdmissionFixture admission = new AdmissionFixture(faulty, ledger(1, 100, 8));
        Grant onFaulty = admission.admitted(60);
        Grant onOther = admission.admitted(60);
        AdmissionTicket large = admission.waiting(90);
        for (int small = 0; small < 16; small++) {
            admission.admitted(1).close();
        }
        assertThat(onFaulty.deviceOrdinal()).isZero();

        faulty.closeAdmissionIfOpen("device fault");
        AdmissionTicket next = admission.waiting(1);
        onOther.close();

        grant(large).close();
        grant(next).close();
        onFaulty.close();
    }

    @Test
    void faultOfUnknownIsolation_closesEveryDevice_andTellsEverybody() {
        DeviceLedger one = ledger(0, 100, 8);
        DeviceLedger other = ledger(1, 100, 8);
        AdmissionFixture admission = new AdmissionFixture(one, other);
        Grant first = admission.admitted(100);
        Grant second = admission.admitted(100);
        AdmissionTicket waiting = admission.waiting(10);

        one.closeAdmissionForUnknownIsolation("the driver lost its state");

        assertThat(other.health())
                .isInstanceOfSatisfying(
                        DeviceHealth.Closed.class,
                        closed -> assertThat(closed.isolation()).isEqualTo(FaultIsolation.UNKNOWN));
        assertThat(error(waiting).facts().has(Reason.BACKEND_UNHEALTHY)).isTrue();
        first.close();
        second.close();
    }

    @Test
    void localFault_thatProvesToBeOfUnknownIsolation_closesEveryDevice() {
        DeviceLedger one = ledger(0, 100, 8);
        DeviceLedger other = ledger(1, 100, 8);
        AdmissionFixture admission = new AdmissionFixture(one, other);
        one.closeAdmission("a fault of this device");
        admission.admitted(100).close();
        assertThat(other.health().isOpen()).isTrue();

        one.closeAdmissionForUnknownIsolation("the driver lost its state");

        assertThat(other.health())
                .isInstanceOfSatisfying(
                        DeviceHealth.Closed.class,
                        closed -> assertThat(closed.isolation()).isEqualTo(FaultIsolation.UNKNOWN));
        assertThat(admission.refused(bytes(1)).code()).isEqualTo(ErrorCode.DEVICE_FAULT);
    }

    @Test
    void waiter_takesWhicheverDeviceIsFreeFirst() {
        AdmissionFixture admission = new AdmissionFixture(ledger(0, 100, 8), ledger(1, 100, 8));
        Grant first = admission.admitted(100);
        Grant second = admission.admitted(100);
        AdmissionTicket waiting = admission.waiting(100);

        second.close();

        assertThat(grant(waiting).deviceOrdinal()).isEqualTo(second.deviceOrdinal());
        grant(waiting).close();
        first.close();
    }

    @Test
    void poisonedDevice_countsAsClosed() {
        DeviceLedger broken = ledger(0, 100, 8);
        AdmissionFixture admission = new AdmissionFixture(broken, ledger(1, 50, 8));
        LedgerPoison.poison(broken);

        try (Grant other = admission.admitted(50)) {
            assertThat(other.deviceOrdinal()).isEqualTo(1);
            assertThat(admission.refused(bytes(60)).code()).isEqualTo(ErrorCode.DEVICE_FAULT);
        }
    }
}
