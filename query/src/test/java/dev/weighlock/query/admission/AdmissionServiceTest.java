package dev.weighlock.query.admission;

import static dev.weighlock.query.admission.AdmissionFixture.bytes;
import static dev.weighlock.query.admission.AdmissionFixture.error;
import static dev.weighlock.query.admission.AdmissionFixture.facts;
import static dev.weighlock.query.admission.AdmissionFixture.grant;
import static dev.weighlock.query.testing.TestDevices.host;
import static dev.weighlock.query.testing.TestDevices.ledger;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.query.AttemptId;
import dev.weighlock.query.Deadline;
import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.FactKey;
import dev.weighlock.query.QueryException;
import dev.weighlock.query.Reason;
import dev.weighlock.query.device.DeviceLedger;
import dev.weighlock.query.device.Grant;
import dev.weighlock.query.device.QueryCap;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class AdmissionServiceTest {
    private final DeviceLedger device = ledger(0, 100, 4);
    private final AdmissionFixture admission = new AdmissionFixture(device);

    @Test
    void request_thatFits_isAdmittedAtOnce() {
        try (Grant grant = admission.admitted(60)) {
            assertThat(grant.bytes()).isEqualTo(60);
            assertThat(device.snapshot().active()).isEqualTo(1);
        }
        assertThat(device.snapshot().active()).isZero();
    }

    @Test
    void freedGrant_isHandedToTheFirstWaiter() {
        Grant running = admission.admitted(100);
        AdmissionTicket first = admission.waiting(80);
        AdmissionTicket second = admission.waiting(80);

        admission.clock.advance(Duration.ofMillis(5));
        running.close();

        assertThat(grant(first).bytes()).isEqualTo(80);
        assertThat(facts(first).waitNanos()).isEqualTo(5_000_000);
        assertThat(second.outcome()).isEmpty();
        grant(first).close();
        grant(second).close();
        assertThat(device.snapshot().liveGrantBytes()).isZero();
    }

    @Test
    void request_aboveEveryQueryShare_isRefusedAtOnceWithTheLargestFit() {
        QueryException refusal = admission.refused(bytes(101));

        assertThat(refusal.code()).isEqualTo(ErrorCode.QUERY_BUDGET_UNAVAILABLE);
        assertThat(refusal.facts().has(Reason.QUERY_CAP_EXCEEDS_CAPACITY)).isTrue();
        assertThat(refusal.facts().value(FactKey.LARGEST_FIT_BYTES)).hasValue("100");
    }

    @Test
    void frozenGrant_runsNoMore_soItsSlotIsFreeAndACloseDoesNotWaitForIt() {
        DeviceLedger narrow = ledger(0, 100, 1);
        AdmissionFixture alone = new AdmissionFixture(narrow);
        Grant frozen = alone.admitted(40);
        AdmissionTicket waiting = alone.waiting(60);
        frozen.prepareFreeze(30);

        frozen.publishFreeze();

        assertThat(grant(waiting).bytes()).isEqualTo(60);
        grant(waiting).close();
        assertThat(alone.service
                        .close(Deadline.after(alone.clock, Duration.ofHours(1)))
                        .stillHeld())
                .isEmpty();
        assertThat(narrow.snapshot().frozenResidentBytes()).isEqualTo(30);
        frozen.close();
        assertThat(narrow.snapshot().frozenResidentBytes()).isZero();
    }

    @Test
    void request_thatOnlyResidentsKeepOut_waitsForThem() {
        Grant frozen = admission.admitted(40);
        frozen.prepareFreeze(30);
        frozen.publishFreeze();
        AdmissionTicket waiting = admission.waiting(80);

        assertThat(waiting.waitReason().orElseThrow().kind()).isEqualTo(WaitReason.Kind.RESIDENTS);
        frozen.close();
        grant(waiting).close();
    }

    @Test
    void zeroCap_andUnknownPool_areRefused() {
        assertThat(admission.refused(bytes(0)).facts().has(Reason.ZERO_QUERY_CAP))
                .isTrue();
        assertThat(admission.refused(bytes(1).withPool("nowhere")).code()).isEqualTo(ErrorCode.INVALID_CONFIGURATION);
    }

    @Test
    void capBelowTheLeast_isAnInvalidPlan() {
        AdmissionFixture strict = new AdmissionFixture(ledger(host(0, 100, 2).minimumCap(32)));

        assertThat(strict.refused(bytes(31)).code()).isEqualTo(ErrorCode.INVALID_PLAN);
        strict.admitted(32).close();
    }

    @Test
    void queue_whenFull_refusesTheNextWaiterAndStillAdmitsWhatFits() {
        AdmissionFixture small = new AdmissionFixture(AdmissionConfig.DEFAULT.withQueueLimit(1), device);
        Grant running = small.admitted(90);
        AdmissionTicket waiting = small.waiting(20);

        QueryException refusal = small.refused(bytes(20));
        assertThat(refusal.code()).isEqualTo(ErrorCode.SERVICE_OVERLOADED);
        assertThat(refusal.facts().has(Reason.ADMISSION_QUEUE_FULL)).isTrue();
        small.admitted(10).close();

        running.close();
        grant(waiting).close();
    }

    @Test
    void wait_beyondItsLimit_endsWithQueueWaitElapsed() {
        Grant running = admission.admitted(100);
        AdmissionTicket waiting = admission.waiting(10);

        admission.clock.advance(Duration.ofMinutes(5).minusNanos(1));
        admission.service.expireDue();
        assertThat(waiting.outcome()).isEmpty();

        admission.clock.advanceNanos(1);
        admission.service.expireDue();
        assertThat(error(waiting).facts().has(Reason.QUEUE_WAIT_ELAPSED)).isTrue();
        running.close();
        assertThat(device.snapshot().active()).isZero();
    }

    @Test
    void deadline_whileQueued_cancelsTheWait() {
        Grant running = admission.admitted(100);
        AdmissionTicket waiting = admission.waiting(bytes(10).withDeadline(1_000));

        admission.clock.setNanos(1_000);
        admission.service.expireDue();

        assertThat(error(waiting).code()).isEqualTo(ErrorCode.CANCELLED);
        assertThat(error(waiting).facts().toString()).isEqualTo("reason=deadline_expired, cancellation_requested=true");
        assertThat(admission.refused(bytes(10).withDeadline(1_000)).code()).isEqualTo(ErrorCode.CANCELLED);
        running.close();
    }

    @Test
    void cancel_whileQueued_leavesTheRoomToTheNext() {
        Grant running = admission.admitted(90);
        AdmissionTicket large = admission.waiting(100);
        assertThat(large.cancel()).isTrue();
        assertThat(large.cancel()).isFalse();

        assertThat(error(large).facts().has(Reason.CALLER_CANCELLED)).isTrue();
        running.close();
        assertThat(device.snapshot().active()).isZero();
    }

    @Test
    void giveUp_afterTheGrant_returnsItsBytes() {
        Grant running = admission.admitted(100);
        AdmissionTicket waiting = admission.waiting(100);
        running.close();
        assertThat(device.snapshot().liveGrantBytes()).isEqualTo(100);

        assertThat(waiting.cancel()).isFalse();
        waiting.giveUp();
        assertThat(device.snapshot().liveGrantBytes()).isZero();
    }

    @Test
    void attempt_thatWaitsOrRuns_isNotAdmittedAgain() {
        AdmissionRequest runs = bytes(90);
        AdmissionRequest waits = bytes(20);
        Grant running = admission.admitted(runs);
        AdmissionTicket waiting = admission.waiting(waits);

        assertThat(admission.refused(runs.withLabel("again")).code()).isEqualTo(ErrorCode.INTERNAL);
        assertThat(admission.refused(waits).facts().value(FactKey.ATTEMPT_ID))
                .hasValue(waits.attempt().toString());

        running.close();
        grant(waiting).close();
        assertThat(admission.service.snapshot().pools())
                .containsExactly(new AdmissionSnapshot.PoolRow("default", 1, 0, 0));
        admission.admitted(runs).close();
        assertThat(device.snapshot().active()).isZero();
    }

    @Test
    void attempt_whoseWaitWasCancelled_mayAskAgain() {
        Grant running = admission.admitted(90);
        AdmissionRequest request = bytes(20);
        assertThat(admission.waiting(request).cancel()).isTrue();

        AdmissionTicket again = admission.waiting(request);

        running.close();
        grant(again).close();
    }

    @Test
    void stage_completesOnceWithTheOutcome() {
        Grant running = admission.admitted(100);
        AdmissionTicket waiting = admission.waiting(10);
        assertThat(waiting.stage().toCompletableFuture()).isNotDone();

        running.close();
        assertThat(waiting.stage().toCompletableFuture())
                .isCompletedWithValue(waiting.outcome().orElseThrow());
        grant(waiting).close();
    }

    @Test
    void waitReason_namesWhatIsMissingAndWhoHoldsIt() {
        Grant running = admission.admitted(bytes(70).withLabel("nightly report"));
        AdmissionTicket waiting = admission.waiting(50);

        WaitReason reason = waiting.waitReason().orElseThrow();
        assertThat(reason.kind()).isEqualTo(WaitReason.Kind.BYTES);
        assertThat(reason.text())
                .isEqualTo("needs 50 bytes, 30 are free on device 0; admitted when 20 more are given back"
                        + " (held by nightly report: grant 1, 70 bytes for 0 ms)");
        running.close();
        assertThat(waiting.waitReason()).isEmpty();
        grant(waiting).close();
    }

    @Test
    void snapshot_showsPoolsWaitersAndReasons() {
        Grant running = admission.admitted(70);
        AdmissionTicket waiting = admission.waiting(50);

        AdmissionSnapshot snapshot = admission.service.snapshot();
        assertThat(snapshot.pools()).containsExactly(new AdmissionSnapshot.PoolRow("default", 1, 1, 1));
        assertThat(snapshot.waiters()).singleElement().satisfies(row -> {
            assertThat(row.attempt()).isEqualTo(waiting.request().attempt());
            assertThat(row.reason().kind()).isEqualTo(WaitReason.Kind.BYTES);
        });
        assertThat(snapshot.devices())
                .singleElement()
                .satisfies(report -> assertThat(report.grants()).hasSize(1));
        running.close();
        grant(waiting).close();
    }

    @Test
    void close_refusesWaitersAndLaterRequests_andNamesWhatIsStillHeld() {
        Grant running = admission.admitted(70);
        AdmissionTicket waiting = admission.waiting(50);

        admission.service.close();

        assertThat(error(waiting).facts().has(Reason.BACKEND_CLOSING)).isTrue();
        assertThat(admission.refused(bytes(1)).facts().has(Reason.BACKEND_CLOSING))
                .isTrue();
        running.close();
        assertThat(device.snapshot().active()).isZero();
    }

    @Test
    void parkedRequest_behindALargerHead_isAdmittedWhenItFits() {
        Grant running = admission.admitted(60);
        AdmissionTicket large = admission.waiting(70);
        Grant small = admission.admitted(20);

        assertThat(large.outcome()).isEmpty();
        small.close();
        running.close();
        assertThat(facts(large).passes()).isEqualTo(1);
        grant(large).close();
    }

    @Test
    void defaultCap_inAPoolWithALargestCap_isBoundByIt() {
        AdmissionFixture pools = new AdmissionFixture(
                AdmissionConfig.DEFAULT.withPools(PoolConfig.named("default").withLargestCap(10)),
                ledger(host(0, 100, 2).defaultQueryLimit(50)));

        try (Grant grant = pools.admitted(AdmissionRequest.of(AttemptId.mint(), QueryCap.DEFAULT))) {
            assertThat(grant.bytes()).isEqualTo(10);
        }
        assertThat(pools.refused(bytes(11)).facts().value(FactKey.LARGEST_FIT_BYTES))
                .hasValue("10");
    }

    @Test
    void cleaningGrant_counts_isListedAndIsReportedOnceWhenOverdue() {
        Grant grant = admission.admitted(100);
        AdmissionTicket waiting = admission.waiting(10);
        int[] overdue = {0};
        admission.service.beginCleaning(grant, "cancel did not return", () -> overdue[0]++);

        admission.clock.advance(Duration.ofSeconds(30));
        admission.service.expireDue();
        admission.service.expireDue();

        assertThat(overdue[0]).isEqualTo(1);
        assertThat(waiting.waitReason().orElseThrow().text()).contains("being cleaned up");
        assertThat(waiting.outcome()).isEmpty();
        grant.close();
        grant(waiting).close();
    }
}
