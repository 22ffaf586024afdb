package dev.weighlock.query.device;

import static dev.weighlock.query.testing.TestDevices.host;
import static dev.weighlock.query.testing.TestDevices.ledger;
import static dev.weighlock.query.testing.TestDevices.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.weighlock.query.AttemptId;
import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.MonotonicClock;
import dev.weighlock.query.QueryException;
import dev.weighlock.query.Reason;
import dev.weighlock.query.admission.AdmissionConfig;
import dev.weighlock.query.admission.AdmissionOutcome;
import dev.weighlock.query.admission.AdmissionRequest;
import dev.weighlock.query.admission.AdmissionService;
import dev.weighlock.query.admission.AdmissionTicket;
import dev.weighlock.query.leak.LeavesOpen;
import dev.weighlock.query.testing.ManualClock;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class DeviceLedgerHealthTest {
    private final DeviceLedger ledger = ledger(host(0, 100, 4).cacheCap(20));

    @Test
    void close_repeated_replacesTheReasonAndCounts() {
        assertThat(ledger.closeAdmission("first")).isEqualTo(1);
        assertThat(ledger.closeAdmissionForUnknownIsolation("second")).isEqualTo(2);

        assertThat(ledger.health()).isEqualTo(new DeviceHealth.Closed("second", FaultIsolation.UNKNOWN, 2));
        assertThat(ledger.snapshot().sequence()).isEqualTo(2);
    }

    @Test
    void closeIfOpen_repeated_keepsTheFirstReason() {
        assertThat(ledger.closeAdmissionIfOpen("first")).isTrue();
        assertThat(ledger.closeAdmissionIfOpen("second")).isFalse();

        assertThat(ledger.health()).isEqualTo(new DeviceHealth.Closed("first", FaultIsolation.DEVICE_LOCAL, 1));
        assertThat(ledger.snapshot().sequence()).isEqualTo(1);
    }

    @Test
    void poison_refusesAdmissionAndQueries_andStillReleases() {
        Grant grant = ledger.tryAdmit(request(10)).orElseThrow();
        ResidentLease resident = grant.retainResident(5).orElseThrow();
        poison();

        assertPoisoned(() -> ledger.tryAdmit(request(1)));
        assertPoisoned(ledger::snapshot);
        assertPoisoned(ledger::report);
        assertPoisoned(ledger::health);
        assertPoisoned(() -> ledger.closeAdmission("x"));
        assertPoisoned(() -> ledger.cache().tryReserve(1));
        assertPoisoned(() -> grant.retainResident(1));
        assertPoisoned(() -> grant.prepareFreeze(1));
        assertPoisoned(grant::validateFreeze);
        assertPoisoned(grant::publishFreeze);

        resident.close();
        grant.close();
        assertThat(ledger.books().snapshot().active()).isZero();
        assertThat(ledger.books().snapshot().residentOwnerBytes()).isZero();
        assertThat(ledger.books().balanced()).isTrue();
    }

    @Test
    void refusals_insideACriticalSection_doNotPoison() {
        Grant grant = ledger.tryAdmit(request(10)).orElseThrow();
        assertThatExceptionOfType(QueryException.class).isThrownBy(grant::validateFreeze);
        assertThatExceptionOfType(QueryException.class)
                .isThrownBy(() -> ledger.cache().pin(1));

        grant.close();
        assertThat(ledger.snapshot().active()).isZero();
    }

    @Test
    void poison_isToldOnceToWhoeverWaitsForAdmission() {
        List<TransitionKind> told = new ArrayList<>();
        ledger.observeAdmission(transition -> told.add(transition.kind()));

        poison();

        assertThat(told).containsExactly(TransitionKind.ADMISSION_CLOSED);
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> ledger.guard().release("test", () -> {
                    throw new IllegalStateException("once more");
                }));
        assertThat(told).hasSize(1);
    }

    @Test
    void waiterForALedgerThatBreaks_isToldAtOnce() {
        try (var service = AdmissionService.start(AdmissionConfig.DEFAULT, List.of(ledger), MonotonicClock.SYSTEM)) {
            var running =
                    (AdmissionOutcome.Admitted) service.request(AdmissionRequest.of(AttemptId.mint(), QueryCap.of(60)));
            var waiting = (AdmissionTicket) service.request(AdmissionRequest.of(AttemptId.mint(), QueryCap.of(60)));

            poison();

            assertThat(waiting.outcome())
                    .hasValueSatisfying(outcome -> assertThat(outcome)
                            .isInstanceOfSatisfying(
                                    AdmissionOutcome.Refused.class,
                                    refused ->
                                            assertThat(refused.error().code()).isEqualTo(ErrorCode.DEVICE_FAULT)));
            running.grant().close();
        }
    }

    @Test
    void poison_insideAnObserver_isToldWhenNoLedgerIsHeld() {
        DeviceLedger higher = ledger(5, 100, 2);
        List<Boolean> held = new ArrayList<>();
        higher.observeAdmission(_ -> held.add(ledger.guard().isHeldByCurrentThread()));
        ledger.observeTransitions(_ -> LedgerPoison.poison(higher));

        ledger.tryAdmit(request(10)).orElseThrow().close();

        assertThat(held).containsExactly(false);
    }

    @Test
    void releaseThatFailsHalfway_stillRunsItsHookAndTellsTheWaiters() {
        AtomicInteger released = new AtomicInteger();
        List<TransitionKind> told = new ArrayList<>();
        ledger.observeAdmission(transition -> {
            assertThat(released).hasValue(1);
            told.add(transition.kind());
        });
        GrantRequest plain = request(10);
        Grant grant = ledger.tryAdmit(
                        new GrantRequest(plain.id(), plain.attempt(), plain.cap(), "half", released::incrementAndGet))
                .orElseThrow();
        ledger.books().freezeForeignBytes(1); // planted: the books do not add up at the next commit

        assertThatExceptionOfType(AssertionError.class).isThrownBy(grant::close).withMessageContaining("do not add up");

        assertThat(released).as("the hook, before anybody is told").hasValue(1);
        assertThat(told).containsExactly(TransitionKind.ADMISSION_CLOSED);
        assertPoisoned(() -> ledger.tryAdmit(request(1)));
        assertThat(ledger.rowsAlsoOfAPoisonedLedger()).isEmpty();
    }

    private void poison() {
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> ledger.guard().decide("test", () -> {
                    throw new IllegalStateException("inside the critical section");
                }));
    }

    private static void assertPoisoned(Runnable action) {
        assertThatExceptionOfType(QueryException.class)
                .isThrownBy(action::run)
                .matches(refusal -> refusal.facts().has(Reason.LEDGER_MUTEX_POISONED));
    }

    @Test
    void report_addsUpAndShowsEveryGrant() {
        ManualClock clock = new ManualClock(1_000);
        DeviceLedger timed = ledger(host(3, 100, 4), clock);
        Grant frozen = timed.tryAdmit(request(40)).orElseThrow();
        clock.advance(Duration.ofNanos(5));
        GrantRequest second = request(30);
        Grant live = timed.tryAdmit(second).orElseThrow();
        frozen.prepareFreeze(15);
        frozen.publishFreeze();
        clock.advance(Duration.ofNanos(7));
        live.beginCleaning("cancel did not return");
        live.beginCleaning("asked twice");

        LedgerReport report = timed.report();

        assertThat(report.availableBytes()).isEqualTo(100 - 15 - 30).isEqualTo(report.freeBytes());
        assertThat(report.healthLabel()).isEqualTo("open");
        assertThat(report.snapshot().active()).isEqualTo(1);
        GrantRow first = report.grants().getFirst();
        assertThat(first.frozenResidentBytes()).hasValue(15);
        assertThat(first.state()).isEqualTo(GrantState.RELEASED);
        assertThat(first.heldSinceNanos()).isEqualTo(1_000);
        GrantRow row = report.grants().getLast();
        assertThat(row.admissionRequestId()).isEqualTo(second.id());
        assertThat(row.attempt()).isEqualTo(second.attempt());
        assertThat(row.holder()).isEqualTo(second.attempt().toString());
        assertThat(row.grantBytes()).isEqualTo(30);
        assertThat(row.state()).isEqualTo(GrantState.CLEANING);
        assertThat(row.cleaning()).hasValue(new GrantRow.Cleaning("cancel did not return", 1_012));
        assertThat(row.heldSinceNanos()).isEqualTo(1_005);
        live.close();
        frozen.close();
        timed.closeAdmission("x");
        assertThat(timed.report().grants()).isEmpty();
        assertThat(timed.report().healthLabel()).isEqualTo("closed");
    }

    @Test
    @LeavesOpen("nobody can close a grant that nobody reaches")
    void leakedGrant_isNamedInTheReportAndKeepsItsBytes() {
        WeakReference<Grant> leaked = leak();
        boolean named = false;
        for (int attempt = 0; attempt < 200 && !named; attempt++) {
            System.gc();
            List<GrantRow> rows = ledger.report().grants();
            named = rows.size() == 1 && rows.getFirst().leaked();
            Thread.onSpinWait();
        }

        assertThat(named).isTrue();
        assertThat(leaked.get()).isNull();
        assertThat(ledger.snapshot().liveGrantBytes()).isEqualTo(10);
    }

    private WeakReference<Grant> leak() {
        return new WeakReference<>(ledger.tryAdmit(request(10)).orElseThrow());
    }
}
