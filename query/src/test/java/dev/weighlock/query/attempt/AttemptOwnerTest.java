package dev.weighlock.query.attempt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weighlock.query.Deadline;
import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.ErrorStatus;
import dev.weighlock.query.FactKey;
import dev.weighlock.query.Facts;
import dev.weighlock.query.QueryException;
import dev.weighlock.query.Reason;
import dev.weighlock.query.ReportOperation;
import dev.weighlock.query.attempt.AttemptLifecycleException.Violation;
import dev.weighlock.query.observe.BoundaryKind;
import dev.weighlock.query.observe.EventPayload;
import dev.weighlock.query.observe.ObservationConfig;
import dev.weighlock.query.observe.ObservationJsonl;
import dev.weighlock.query.report.AdmissionFact;
import dev.weighlock.query.report.AttemptReport;
import dev.weighlock.query.report.CapacityDisposition;
import dev.weighlock.query.report.CleanupDisposition;
import dev.weighlock.query.report.CleanupPhase;
import dev.weighlock.query.report.Disposition;
import dev.weighlock.query.report.DomainUsage;
import dev.weighlock.query.report.FailureFact;
import dev.weighlock.query.report.FailureOrigin;
import dev.weighlock.query.report.FaultEvidence;
import dev.weighlock.query.report.HealthTransition;
import dev.weighlock.query.report.Outcome;
import dev.weighlock.query.testing.ManualClock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** The rules of one attempt, one thread at a time. */
class AttemptOwnerTest {
    @Test
    void commit_ofAnUnadmittedAttempt_publishesAtOnce() throws IOException {
        var attempt = new AttemptFixture().planned();
        attempt.clock.setNanos(10);

        attempt.owner.commitTerminal(Outcome.SUCCEEDED);

        var report = attempt.report();
        assertThat(report.outcome()).isEqualTo(Outcome.SUCCEEDED);
        assertThat(report.disposition()).isEqualTo(Disposition.NATIVE);
        assertThat(report.cleanup().disposition()).isEqualTo(CleanupDisposition.NOT_REQUIRED);
        assertThat(report.capacity().disposition()).isEqualTo(CapacityDisposition.NOT_ADMITTED);
        assertThat(report.capacity().finalDomainUsage()).isNull();
        assertThat(report.capacity().healthTransition()).isNull();
        assertThat(report.timestamps().cleanupComplete()).isNull();
        assertThat(report.timestamps().reportReady()).isEqualTo(10);
        assertThat(report.timestamps().outcomeTerminal()).isEqualTo(10);
        assertThat(report.unixEpochNanos()).isEqualTo(42);
        assertThat(attempt.counters().reportsReady()).isEqualTo(1);
        assertThat(attempt.sealed().footer().report()).isSameAs(report);

        var jsonl = new StringBuilder();
        ObservationJsonl.write(attempt.sealed(), jsonl);
        var read = ObservationJsonl.read(jsonl.toString().lines().toList());
        assertThat(read).isEqualTo(attempt.sealed());
        assertThat(read.footer().report()).isEqualTo(report);
    }

    @Test
    void reportSink_getsTheIdenticalReportOnceBeforeCompletionShowsIt() {
        var attempt = new AttemptFixture().planned();
        List<AttemptReport> shown = new ArrayList<>();
        var invisible = new AtomicBoolean();
        attempt.owner.registerReportSink(report -> {
            invisible.set(attempt.factory.report().isEmpty());
            shown.add(report);
        });

        attempt.owner.commitTerminal(Outcome.SUCCEEDED);

        assertThat(shown).hasSize(1).first().isSameAs(attempt.report());
        assertThat(invisible).isTrue();
    }

    @Test
    void reportSink_registeredLate_getsThePublishedReportAtOnce() {
        var attempt = new AttemptFixture();
        attempt.owner.commitTerminal(Outcome.SUCCEEDED);
        List<AttemptReport> shown = new ArrayList<>();
        attempt.owner.registerReportSink(shown::add);
        assertThat(shown).hasSize(1).first().isSameAs(attempt.report());
    }

    @Test
    void reportSink_thatThrows_hidesNothing() {
        var attempt = new AttemptFixture();
        attempt.owner.registerReportSink(report -> {
            throw new IllegalStateException("a broken sink");
        });
        attempt.owner.commitTerminal(Outcome.SUCCEEDED);
        assertThat(attempt.report().outcome()).isEqualTo(Outcome.SUCCEEDED);
    }

    @Test
    void reportSink_writingToItsOwnObservation_doesNotDeadlockTheSeal() throws Exception {
        var attempt = new AttemptFixture().planned();
        var observation = attempt.handle.observation();
        attempt.owner.registerReportSink(report -> observation.recordSourceRead("late", 1, 1));

        CompletableFuture.runAsync(() -> attempt.owner.commitTerminal(Outcome.SUCCEEDED))
                .get(30, TimeUnit.SECONDS);

        assertThat(attempt.factory.report()).isPresent();
    }

    @Test
    void cancelledOutcome_appearsInReportFooterAndTimeline() {
        var attempt = new AttemptFixture().planned();

        attempt.owner.commitTerminal(Outcome.CANCELLED);

        assertThat(attempt.report().outcome()).isEqualTo(Outcome.CANCELLED);
        var sealed = attempt.sealed();
        assertThat(sealed.footer().outcome()).isEqualTo(Outcome.CANCELLED);
        assertThat(sealed.footer().report()).isSameAs(attempt.report());
        assertThat(sealed.events())
                .anyMatch(event -> event.payload().equals(new EventPayload.Boundary(BoundaryKind.CANCELLED)));
    }

    @Test
    void commit_ofAnAdmittedAttempt_isNotReadyUntilTheSealAfterCleanup() {
        var attempt = new AttemptFixture();
        var admission = attempt.admitted(new AdmissionFact(3, 1, 1, 1024));
        attempt.handle.recordPhysicalExecutionStarted();
        attempt.handle.recordDeviceExecutionStarted();
        attempt.clock.setNanos(20);
        attempt.owner.commitTerminal(Outcome.SUCCEEDED);
        assertThat(attempt.factory.report()).isEmpty();

        attempt.clock.setNanos(30);
        var usage = new DomainUsage(101, false, 0, 1024, 768, 0, 512, 1024, 0, 640, 9, 0, 4, 2, 64);
        attempt.release(admission, AttemptFixture.RELEASED.withDomainUsage(usage));

        var report = attempt.report();
        assertThat(report.timestamps().outcomeTerminal()).isEqualTo(20);
        assertThat(report.timestamps().cleanupComplete()).isEqualTo(30);
        assertThat(report.timestamps().reportReady()).isEqualTo(30);
        assertThat(report.deviceOrdinal()).contains(1);
        assertThat(report.admission()).isEqualTo(new AdmissionFact(3, 1, 1, 1024));
        assertThat(report.cleanup().disposition()).isEqualTo(CleanupDisposition.COMPLETED);
        assertThat(report.capacity().disposition()).isEqualTo(CapacityDisposition.RELEASED);
        assertThat(report.capacity().finalDomainUsage()).isEqualTo(usage);
        assertThat(report.capacity().healthTransition()).isEqualTo(HealthTransition.HEALTHY_REUSE);
        assertThat(attempt.sealed().footer().report()).isSameAs(report);
    }

    @Test
    void faultEvidence_survivesExactly() {
        var attempt = new AttemptFixture();
        var admission = attempt.admitted();
        attempt.owner.commitTerminal(Outcome.SUCCEEDED);
        var evidence = new FaultEvidence(
                FaultEvidence.Isolation.DEVICE_LOCAL,
                FaultEvidence.TeardownHealth.COMPLETED,
                new FaultEvidence.DeviceHealth(FaultEvidence.DeviceStatus.UNHEALTHY, 1, 0, 0),
                new FaultEvidence.Fault(FaultEvidence.FaultKind.FATAL_DEVICE_OPERATION, 0xFFFF_FFFFL));
        attempt.release(
                admission,
                TerminalCommit.of(CapacityDisposition.RETAINED_QUARANTINE, HealthTransition.DEVICE_QUARANTINED)
                        .withFaultEvidence(evidence));

        var capacity = attempt.report().capacity();
        assertThat(capacity.disposition()).isEqualTo(CapacityDisposition.RETAINED_QUARANTINE);
        assertThat(capacity.healthTransition()).isEqualTo(HealthTransition.DEVICE_QUARANTINED);
        assertThat(capacity.faultEvidence()).isEqualTo(evidence);
    }

    @Test
    void quarantinedSuccess_keepsItsCleanupAndRefusesASecondClaim() {
        var attempt = new AttemptFixture();
        var admission = attempt.admitted();
        attempt.clock.setNanos(20);
        attempt.owner.commitTerminal(Outcome.SUCCEEDED);
        attempt.clock.setNanos(30);
        admission.finishAdmitted(
                TerminalCommit.of(CapacityDisposition.RETAINED_QUARANTINE, HealthTransition.BACKEND_UNHEALTHY));
        assertViolation(() -> attempt.owner.admissionBinding().claim(), Violation.ADMISSION_ALREADY_CLAIMED);
        admission.reportPublisher().seal(Outcome.SUCCEEDED).run();

        var report = attempt.report();
        assertThat(report.outcome()).isEqualTo(Outcome.SUCCEEDED);
        assertThat(report.cleanup().disposition()).isEqualTo(CleanupDisposition.COMPLETED);
        assertThat(report.cleanup().failureCount()).isZero();
        assertThat(report.cleanup().failureCountComplete()).isTrue();
        assertThat(report.cleanup().firstFailure()).isNull();
        assertThat(report.capacity().disposition()).isEqualTo(CapacityDisposition.RETAINED_QUARANTINE);
        assertThat(report.capacity().finalDomainUsage()).isNull();
        assertThat(report.capacity().healthTransition()).isEqualTo(HealthTransition.BACKEND_UNHEALTHY);
        assertThat(report.timestamps().cleanupComplete()).isEqualTo(30);
        assertThat(report.timestamps().reportReady()).isEqualTo(30);
    }

    @Test
    void secondCommit_isRefusedAndTheFirstStands() {
        var attempt = new AttemptFixture();
        attempt.owner.commitTerminal(Outcome.DROPPED);
        assertViolation(() -> attempt.owner.commitTerminal(Outcome.SUCCEEDED), Violation.DOUBLE_TERMINALIZATION);
        assertThat(attempt.report().outcome()).isEqualTo(Outcome.DROPPED);
    }

    @Test
    void cancelThenClose_endsCancelled() {
        var attempt = new AttemptFixture();
        assertThat(attempt.owner.cancellation().cancel()).isTrue();
        assertThat(attempt.owner.cancellation().cancel()).isFalse();
        attempt.owner.close();
        assertThat(attempt.report().outcome()).isEqualTo(Outcome.CANCELLED);
    }

    @Test
    void closeAlone_endsDropped() {
        var attempt = new AttemptFixture();
        attempt.owner.close();
        attempt.owner.close();
        assertThat(attempt.report().outcome()).isEqualTo(Outcome.DROPPED);
        assertThat(attempt.counters()).isEqualTo(new AttemptCounters.Snapshot(1, 1, 0, 0));
    }

    @Test
    void disabledOrZeroCapObservation_stillGivesTheFullReport() {
        for (var config : List.of(ObservationConfig.disabled(), ObservationConfig.bounded(0, 0))) {
            var attempt = new AttemptFixture(config).planned();
            attempt.owner.commitTerminal(Outcome.failed(ErrorCode.INTERNAL, ErrorStatus.PERMANENT));
            var report = attempt.report();
            assertThat(report.disposition()).isEqualTo(Disposition.NATIVE);
            assertThat(report.outcome()).isEqualTo(Outcome.failed(ErrorCode.INTERNAL, ErrorStatus.PERMANENT));
            assertThat(report.timestamps().reportReady()).isNotNull();
            assertThat(report.cleanup().disposition()).isEqualTo(CleanupDisposition.NOT_REQUIRED);
            assertThat(report.observation().truncated()).isTrue();
            assertThat(report.observation().lostRecords()).isEqualTo(3);
            assertThat(attempt.sealed().events()).isEmpty();
        }
    }

    @Test
    void cleanupFailures_areCountedWithoutReplacingThePrimaryFailure() {
        var attempt = new AttemptFixture();
        var admission = attempt.admitted();
        attempt.owner.commitQueryError(error(ErrorCode.ENGINE_TEMPORARY_FAILURE));
        attempt.handle.recordCleanupFailure(CleanupPhase.QUERY_SERVICE, error(ErrorCode.INTERNAL));
        attempt.handle.recordCleanupFailure(CleanupPhase.ENGINE_SESSION, error(ErrorCode.CLEANUP_FAILED));
        attempt.release(admission, AttemptFixture.RELEASED);

        var report = attempt.report();
        assertThat(report.cleanup().failureCount()).isEqualTo(2);
        assertThat(report.cleanup().failureCountComplete()).isTrue();
        assertThat(report.cleanup().disposition()).isEqualTo(CleanupDisposition.COMPLETED_WITH_FAILURES);
        assertThat(report.outcome())
                .isEqualTo(Outcome.failed(ErrorCode.ENGINE_TEMPORARY_FAILURE, ErrorStatus.TEMPORARY));
        var primary = Objects.requireNonNull(report.primaryFailure());
        assertThat(primary.code()).isEqualTo(ErrorCode.ENGINE_TEMPORARY_FAILURE);
        assertThat(primary.text()).isNull();
        var first = Objects.requireNonNull(report.cleanup().firstFailure());
        assertThat(first.phase()).isEqualTo(CleanupPhase.QUERY_SERVICE);
        assertThat(first.failure().code()).isEqualTo(ErrorCode.INTERNAL);
        assertThat(first.complete()).isFalse();
        assertThat(attempt.cleanupEvents()).isEqualTo(2);
    }

    @Test
    void committedError_keepsItsCausesAndItsSummaryHasNoText() {
        var attempt = new AttemptFixture().planned();
        var cause = new IOException("the original cause");
        var error = new QueryException(
                ErrorCode.ENGINE_TEMPORARY_FAILURE, "test.primary", "native failure", Facts.none(), cause);

        attempt.owner.commitQueryError(error);

        assertThat(error).hasCause(cause);
        var summary = Objects.requireNonNull(attempt.report().primaryFailure());
        assertThat(summary.status()).isEqualTo(ErrorStatus.TEMPORARY);
        assertThat(summary.text()).isNull();
        assertThat(summary.toString()).doesNotContain("native failure").doesNotContain("original cause");
    }

    @Test
    void capturedNativeFailure_beatsADroppedFallback() {
        var attempt = new AttemptFixture();
        var admission = attempt.admitted();
        attempt.handle.recordNativeFailure(new QueryException(
                ErrorCode.ENGINE_TEMPORARY_FAILURE, "test.execute", "text", Facts.of(Reason.DEADLINE_EXPIRED)));
        attempt.release(admission, AttemptFixture.RELEASED);

        var report = attempt.report();
        assertThat(report.outcome())
                .isEqualTo(Outcome.failed(ErrorCode.ENGINE_TEMPORARY_FAILURE, ErrorStatus.TEMPORARY));
        var summary = Objects.requireNonNull(report.primaryFailure());
        assertThat(summary.operation()).isEqualTo(ReportOperation.EXECUTION);
        assertThat(summary.facts()).containsExactly(new FailureFact(FactKey.REASON, Reason.DEADLINE_EXPIRED.value()));
        assertThat(summary.text()).isNull();
    }

    @Test
    void executionFailure_withPlanInItsOperation_isReportedAsExecution() {
        var attempt = new AttemptFixture();
        var admission = attempt.admitted();
        attempt.handle.recordNativeFailure(
                new QueryException(ErrorCode.ENGINE_TEMPORARY_FAILURE, "engine.execute_query_plan", "text"));
        attempt.release(admission, AttemptFixture.RELEASED);

        assertThat(Objects.requireNonNull(attempt.report().primaryFailure()).operation())
                .isEqualTo(ReportOperation.EXECUTION);
    }

    @Test
    void zeroCapTimeline_keepsTheCleanupCount() {
        var attempt = new AttemptFixture(ObservationConfig.bounded(0, 0));
        var admission = attempt.admitted();
        attempt.owner.commitTerminal(Outcome.SUCCEEDED);
        attempt.handle.recordCleanupFailure(CleanupPhase.QUERY_SERVICE, error(ErrorCode.INTERNAL));
        attempt.release(admission, AttemptFixture.RELEASED);

        var cleanup = attempt.report().cleanup();
        assertThat(cleanup.failureCount()).isEqualTo(1);
        assertThat(cleanup.failureCountComplete()).isTrue();
        assertThat(Objects.requireNonNull(cleanup.firstFailure()).phase()).isEqualTo(CleanupPhase.QUERY_SERVICE);
        assertThat(attempt.cleanupEvents()).isZero();
    }

    @Test
    void deadlineCancellation_isNativeWithItsOneFact() {
        var attempt = new AttemptFixture();
        attempt.owner.commitQueryError(new QueryException(
                ErrorCode.CANCELLED,
                "test.deadline",
                "text",
                Facts.of(Reason.DEADLINE_EXPIRED).with(FactKey.CANCELLATION_REQUESTED, true)));

        var report = attempt.report();
        assertThat(report.outcome()).isEqualTo(Outcome.CANCELLED);
        var summary = Objects.requireNonNull(report.primaryFailure());
        assertThat(summary.code()).isEqualTo(ErrorCode.CANCELLED);
        assertThat(summary.origin()).isEqualTo(FailureOrigin.NATIVE);
        assertThat(summary.facts()).containsExactly(new FailureFact(FactKey.REASON, Reason.DEADLINE_EXPIRED.value()));
    }

    @Test
    void otherCancellations_areAttemptControlWithoutFacts() {
        for (var facts : List.of(Facts.of(Reason.CALLER_CANCELLED), Facts.none())) {
            var attempt = new AttemptFixture();
            attempt.owner.commitQueryError(new QueryException(ErrorCode.CANCELLED, "test.cancel", "text", facts));
            var summary = Objects.requireNonNull(attempt.report().primaryFailure());
            assertThat(attempt.report().outcome()).isEqualTo(Outcome.CANCELLED);
            assertThat(summary.code()).isEqualTo(ErrorCode.CANCELLED);
            assertThat(summary.origin()).isEqualTo(FailureOrigin.ATTEMPT_CONTROL);
            assertThat(summary.facts()).isEmpty();
        }
    }

    @Test
    void controlOutcomes_bringTheirOwnSummary() {
        var codes = Map.of(
                Outcome.CANCELLED, ErrorCode.CANCELLED,
                Outcome.DROPPED, ErrorCode.DROPPED,
                Outcome.PANICKED, ErrorCode.PANICKED);
        codes.forEach((outcome, code) -> {
            var attempt = new AttemptFixture();
            attempt.owner.commitTerminal(outcome);
            var summary = Objects.requireNonNull(attempt.report().primaryFailure());
            assertThat(summary.code()).isEqualTo(code);
            assertThat(summary.origin()).isEqualTo(FailureOrigin.ATTEMPT_CONTROL);
            assertThat(summary.status()).isEqualTo(ErrorStatus.NOT_APPLICABLE);
            assertThat(summary.text()).isNull();
        });
    }

    @Test
    void attemptCancel_reachesTheEnginesToken() {
        var attempt = new AttemptFixture();
        var engineToken = attempt.handle.cancellation();
        var told = new AtomicBoolean();
        engineToken.onCancel(() -> told.set(true));
        assertThat(engineToken.isCancelled()).isFalse();

        attempt.owner.cancellation().cancel();

        assertThat(engineToken.isCancelled()).isTrue();
        assertThat(told).isTrue();
        assertThatThrownBy(() -> engineToken.check("test.operation"))
                .isInstanceOfSatisfying(
                        QueryException.class,
                        error -> assertThat(error.facts().has(Reason.CALLER_CANCELLED))
                                .isTrue());
        attempt.owner.close();
    }

    @Test
    void rejection_beatsALaterWrapperCommit() {
        var attempt = new AttemptFixture().planned();
        attempt.owner.admissionRejection().reject(error(ErrorCode.SERVICE_OVERLOADED));

        assertViolation(
                () -> attempt.owner.commitTerminal(Outcome.failed(ErrorCode.ENGINE_ERROR, ErrorStatus.PERMANENT)),
                Violation.DOUBLE_TERMINALIZATION);
        var report = attempt.report();
        assertThat(report.outcome()).isEqualTo(Outcome.failed(ErrorCode.SERVICE_OVERLOADED, ErrorStatus.TEMPORARY));
        assertThat(report.disposition()).isEqualTo(Disposition.NATIVE);
        assertThat(report.timestamps().admissionRequested()).isNull();
        assertThat(report.timestamps().admitted()).isNull();
        assertThat(report.timestamps().physicalExecutionStarted()).isNull();
        assertThat(Objects.requireNonNull(report.primaryFailure()).operation()).isEqualTo(ReportOperation.ADMISSION);
    }

    @Test
    void pastDeadline_isExpiredAndCancelledForBothTokens() {
        var clock = new ManualClock(5);
        var attempt = new AttemptFixture(BeginAttempt.standard().withDeadline(new Deadline(clock, 4)));
        var token = attempt.owner.cancellation();
        assertThat(token.isExpired()).isTrue();
        assertThat(token.isCancelled()).isTrue();
        assertThat(attempt.handle.cancellation().isExpired()).isTrue();
        assertThat(attempt.handle.cancellation().deadline()).isEqualTo(token.deadline());
        for (var each : List.of(token, attempt.handle.cancellation())) {
            var error = each.error("test.deadline").orElseThrow();
            assertThat(error.facts().has(Reason.DEADLINE_EXPIRED)).isTrue();
            assertThat(error.facts().value(FactKey.CANCELLATION_REQUESTED)).contains("true");
        }
        attempt.owner.close();
        assertThat(attempt.report().outcome()).isEqualTo(Outcome.CANCELLED);
        assertThat(attempt.report().cancelReason()).isNull();
    }

    private static QueryException error(ErrorCode code) {
        return new QueryException(code, "test", "injected");
    }

    static void assertViolation(org.assertj.core.api.ThrowableAssert.ThrowingCallable call, Violation violation) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        AttemptLifecycleException.class,
                        refused -> assertThat(refused.violation()).isEqualTo(violation));
    }
}
