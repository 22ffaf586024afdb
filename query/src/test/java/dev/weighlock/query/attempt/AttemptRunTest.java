package dev.weighlock.query.attempt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weighlock.query.Deadline;
import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.ErrorStatus;
import dev.weighlock.query.Facts;
import dev.weighlock.query.QueryException;
import dev.weighlock.query.Reason;
import dev.weighlock.query.ReportOperation;
import dev.weighlock.query.report.AdmissionFact;
import dev.weighlock.query.report.AttemptPhase;
import dev.weighlock.query.report.CancelReason;
import dev.weighlock.query.report.FailureSummary;
import dev.weighlock.query.report.Outcome;
import dev.weighlock.query.report.RetryAdvice;
import dev.weighlock.query.testing.ManualClock;
import dev.weighlock.query.testing.TestAttempts;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What the work of an attempt throws, and what its queue says, becomes its outcome. */
class AttemptRunTest {
    @Test
    void run_ofWorkThatReturns_succeeds() throws Exception {
        var attempt = new AttemptFixture();
        assertThat(attempt.owner.run(() -> {
                    attempt.handle.recordResult(7, true);
                    return "value";
                }))
                .isEqualTo("value");
        assertThat(attempt.report().outcome()).isEqualTo(Outcome.SUCCEEDED);
        assertThat(attempt.report().result().rows()).isEqualTo(7);
        assertThat(attempt.report().result().complete()).isTrue();
        assertThat(attempt.report().retryAdvice()).isEqualTo(RetryAdvice.NO_RETRY_NEEDED);
    }

    @Test
    void run_ofWorkThatFails_throwsItsErrorUntouched() {
        var attempt = new AttemptFixture();
        var error = new QueryException(ErrorCode.SQL_ERROR, "test", "no such table");
        assertThatThrownBy(() -> attempt.owner.run(() -> {
                    throw error;
                }))
                .isSameAs(error);
        assertThat(attempt.report().outcome()).isEqualTo(Outcome.failed(ErrorCode.SQL_ERROR, ErrorStatus.PERMANENT));
        assertThat(Objects.requireNonNull(attempt.report().primaryFailure()).operation())
                .isEqualTo(ReportOperation.PLANNING);
    }

    @Test
    void run_ofInterruptedWork_endsCancelled() {
        var attempt = new AttemptFixture();
        assertThatThrownBy(() -> attempt.owner.run(() -> {
                    throw new InterruptedException();
                }))
                .isInstanceOf(InterruptedException.class);
        assertThat(attempt.report().outcome()).isEqualTo(Outcome.CANCELLED);
        assertThat(attempt.report().cancelReason()).isNull();
    }

    @Test
    void run_ofWorkInterruptedByTheDeadline_keepsTheDeadlinesFact() {
        var clock = new ManualClock();
        var attempt = new AttemptFixture(BeginAttempt.standard().withDeadline(new Deadline(clock, 5)));
        assertThatThrownBy(() -> attempt.owner.run(() -> {
                    clock.setNanos(5);
                    throw new InterruptedException();
                }))
                .isInstanceOf(InterruptedException.class);
        assertThat(Objects.requireNonNull(attempt.report().primaryFailure()).has(Reason.DEADLINE_EXPIRED))
                .isTrue();
    }

    @Test
    void run_ofWorkThatPanics_endsPanicked() {
        var attempt = new AttemptFixture();
        assertThatThrownBy(() -> attempt.owner.run(() -> {
                    throw new AssertionError("broken");
                }))
                .isInstanceOf(AssertionError.class);
        assertThat(attempt.report().outcome()).isEqualTo(Outcome.PANICKED);
        assertThat(attempt.report().retryAdvice()).isEqualTo(RetryAdvice.DO_NOT_RETRY);
    }

    @Test
    void run_afterAnotherOutcome_leavesIt() throws Exception {
        var attempt = new AttemptFixture();
        attempt.owner.run(() -> {
            attempt.owner.commitTerminal(Outcome.CANCELLED);
            return 1;
        });
        assertThat(attempt.report().outcome()).isEqualTo(Outcome.CANCELLED);
    }

    @Test
    void cancelledByShutdown_saysSo() {
        var attempt = new AttemptFixture();
        attempt.attempts.cancelAll(CancelReason.SHUTDOWN);
        assertThat(attempt.attempts.live())
                .singleElement()
                .satisfies(live -> assertThat(live.cancelled()).isTrue());
        attempt.owner.close();
        assertThat(attempt.report().cancelReason()).isEqualTo(CancelReason.SHUTDOWN);
        assertThat(attempt.attempts.live()).isEmpty();
    }

    @Test
    void failureSummary_ofAnAdapter_isCommittedAsItIs() {
        var attempt = new AttemptFixture();
        var summary = FailureSummary.of(
                new QueryException(ErrorCode.DEVICE_FAULT, "adapter", "text"), ReportOperation.EXECUTION);
        attempt.owner.commitFailureSummary(summary);
        assertThat(attempt.report().primaryFailure()).isEqualTo(summary);
        assertThat(attempt.report().outcome())
                .isEqualTo(Outcome.failed(ErrorCode.DEVICE_FAULT, ErrorStatus.PERSISTENT));
    }

    @Test
    void rejection_underAnEffectiveCancellation_isCancelled() {
        var attempt = new AttemptFixture();
        attempt.owner.cancellation().cancel(CancelReason.CLIENT_LOST);
        attempt.owner.admissionRejection().reject(queueFull());
        var report = attempt.report();
        assertThat(report.outcome()).isEqualTo(Outcome.CANCELLED);
        assertThat(report.cancelReason()).isEqualTo(CancelReason.CLIENT_LOST);
        assertThat(report.phaseAtEnd()).isEqualTo(AttemptPhase.ADMISSION);
    }

    @Test
    void rejection_becauseTheBackendCloses_hasTheFixedSummary() {
        var attempt = new AttemptFixture();
        attempt.owner
                .admissionRejection()
                .reject(new QueryException(ErrorCode.CANCELLED, "test", "text", Facts.of(Reason.BACKEND_CLOSING)));
        assertThat(attempt.report().outcome()).isEqualTo(Outcome.CANCELLED);
        assertThat(attempt.report().primaryFailure()).isEqualTo(FailureSummary.backendClosing());
    }

    @Test
    void rejection_ofAClaimedAttempt_changesNothing() {
        var attempt = new AttemptFixture().planned();
        var admission = attempt.owner.admissionBinding().claim();
        attempt.owner.admissionRejection().reject(queueFull());
        assertThat(attempt.handle.isTerminal()).isFalse();
        admission.refuse(queueFull()).run();
        var report = attempt.report();
        assertThat(report.outcome()).isEqualTo(Outcome.failed(ErrorCode.SERVICE_OVERLOADED, ErrorStatus.TEMPORARY));
        assertThat(report.phaseAtEnd()).isEqualTo(AttemptPhase.QUEUE);
        assertThat(report.retryAdvice()).isEqualTo(RetryAdvice.BACKOFF);
        assertThat(report.timestamps().admissionRequested()).isNotNull();
    }

    @Test
    void ownerCommit_whileQueued_winsOverTheQueuesRefusalAndTheGrant() {
        var attempt = new AttemptFixture().planned();
        var admission = attempt.owner.admissionBinding().claim();
        attempt.owner.close();
        assertThat(attempt.factory.report()).isEmpty();
        assertThat(admission.tryRecordAdmitted(new AdmissionFact(1, 0, 0, 1), null))
                .isFalse();
        admission.refuse(queueFull()).run();
        assertThat(attempt.report().outcome()).isEqualTo(Outcome.DROPPED);
        assertThat(attempt.report().admission()).isNull();
    }

    @Test
    void boundRelease_isCalledOnceOutsideTheLock_andATerminalAttemptRefusesToBind() {
        var attempt = new AttemptFixture();
        var admission = attempt.admitted();
        var calls = new int[1];
        assertThat(admission.bindGrantRelease(() -> {
                    calls[0]++;
                    assertThat(attempt.handle.isTerminal()).isTrue();
                    attempt.release(admission, AttemptFixture.RELEASED);
                }))
                .isEqualTo(AttemptAdmission.Binding.BOUND);
        attempt.owner.commitTerminal(Outcome.SUCCEEDED);
        attempt.owner.close();
        assertThat(calls[0]).isEqualTo(1);
        assertThat(attempt.report().outcome()).isEqualTo(Outcome.SUCCEEDED);
        assertThat(admission.bindGrantRelease(() -> {})).isEqualTo(AttemptAdmission.Binding.ALREADY_TERMINAL);
    }

    @Test
    void begin_onABrokenClock_givesItsPermitBack() {
        var lifecycle = TestAttempts.lifecycle(new ManualClock());
        var attempts = new Attempts(AttemptEnvironment.of(
                lifecycle,
                () -> {
                    throw new IllegalStateException("no time");
                },
                "scripted"));
        assertThatThrownBy(() -> attempts.begin(BeginAttempt.standard())).isInstanceOf(IllegalStateException.class);
        assertThat(lifecycle.snapshot().activeObservationPermits()).isZero();
        assertThat(attempts.counters().attemptsBegun()).isZero();
    }

    @Test
    void begin_onAClosingBackend_isRefused() {
        var attempt = new AttemptFixture();
        attempt.lifecycle.close();
        assertThatThrownBy(() -> attempt.attempts.begin(BeginAttempt.standard()))
                .isInstanceOfSatisfying(
                        QueryException.class,
                        refused -> assertThat(refused.facts().has(Reason.BACKEND_CLOSING))
                                .isTrue());
        assertThat(attempt.counters().attemptsBegun()).isEqualTo(1);
        attempt.owner.close();
    }

    private static QueryException queueFull() {
        return new QueryException(
                ErrorCode.SERVICE_OVERLOADED, "admission", "full", Facts.of(Reason.ADMISSION_QUEUE_FULL));
    }
}
