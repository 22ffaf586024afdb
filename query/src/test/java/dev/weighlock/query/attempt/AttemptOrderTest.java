package dev.weighlock.query.attempt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weighlock.query.AttemptId;
import dev.weighlock.query.attempt.AttemptLifecycleException.Violation;
import dev.weighlock.query.report.AdmissionFact;
import dev.weighlock.query.report.ComposedSchedule;
import dev.weighlock.query.report.Disposition;
import dev.weighlock.query.report.Outcome;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The legal order of the boundaries: each refusal names its boundary and reason and changes nothing. */
class AttemptOrderTest {
    private final AttemptFixture attempt = new AttemptFixture();
    private final AttemptHandle handle = attempt.handle;

    @AfterEach
    void letGo() {
        attempt.owner.close();
    }

    @Test
    void planning_outOfOrder_isRefused() {
        refused(handle::recordPlanningFinished, "planning_finished", "planning_not_started");
        handle.recordPlanningStarted();
        refused(handle::recordPlanningStarted, "planning_started", "already_recorded");
        refused(() -> handle.recordDisposition(Disposition.NATIVE), "disposition", "planning_not_finished");
        handle.recordPlanningFinished();
        refused(handle::recordPlanningFinished, "planning_finished", "already_recorded");
        handle.recordDisposition(Disposition.PARTIAL_NATIVE);
        handle.recordDisposition(Disposition.NATIVE);
        assertThat(handle.disposition()).contains(Disposition.NATIVE);
    }

    @Test
    void claim_withoutADisposition_isRefusedAndCanBeRepeated() {
        var binding = attempt.owner.admissionBinding();
        refused(binding::claim, "admission_requested", "disposition_missing");
        attempt.planned();
        var admission = binding.claim();
        assertThat(admission.isAdmitted()).isFalse();
        AttemptOwnerTest.assertViolation(binding::claim, Violation.ADMISSION_ALREADY_CLAIMED);
        refused(handle::recordPhysicalExecutionStarted, "physical_execution_started", "admission_outstanding");
        admission
                .reportPublisher()
                .seal(admission.finishNotAdmitted(Outcome.DROPPED))
                .run();
    }

    @Test
    void execution_outOfOrder_isRefused() {
        refused(handle::recordDeviceExecutionStarted, "device_execution_started", "execution_not_started");
        refused(handle::recordFetchStarted, "fetch_started", "execution_not_started");
        handle.recordPhysicalExecutionStarted();
        refused(handle::recordPhysicalExecutionStarted, "physical_execution_started", "already_recorded");
        handle.recordDeviceExecutionStarted();
        handle.recordFetchStarted();
    }

    @Test
    void everything_afterTheOutcome_isRefused() {
        attempt.owner.commitTerminal(Outcome.SUCCEEDED);
        refused(handle::recordPlanningStarted, "planning_started", "terminal");
        refused(() -> handle.recordDisposition(Disposition.NATIVE), "disposition", "terminal");
        refused(handle::recordPhysicalExecutionStarted, "physical_execution_started", "terminal");
        refused(() -> handle.recordResult(1, true), "result", "finalized");
        AttemptOwnerTest.assertViolation(
                () -> attempt.owner.admissionBinding().claim(), Violation.ADMISSION_ALREADY_CLAIMED);
    }

    @Test
    void composedSchedule_ofAnotherAttemptOrDevice_isRefused() {
        var id = handle.attemptId();
        refused(
                () -> handle.recordComposedSchedule(new ComposedSchedule(AttemptId.mint(), 1)),
                "composed_schedule",
                "attempt_id_mismatch");
        refused(
                () -> handle.recordComposedSchedule(new ComposedSchedule(id, 1)),
                "composed_schedule",
                "admission_missing");
        var admission = attempt.admitted(new AdmissionFact(1, 0, 1, 1));
        refused(
                () -> handle.recordComposedSchedule(new ComposedSchedule(id, 2)),
                "composed_schedule",
                "device_mismatch");
        handle.recordComposedSchedule(new ComposedSchedule(id, 1));
        attempt.release(admission, AttemptFixture.RELEASED);
        refused(() -> handle.recordComposedSchedule(new ComposedSchedule(id, 1)), "composed_schedule", "finalized");
        assertThat(attempt.report().composedSchedule()).isEqualTo(new ComposedSchedule(id, 1));
    }

    @Test
    void seal_ofAnAdmittedAttemptWithoutItsTerminalCommit_isRefusedAndCanBeRepeated() {
        var admission = attempt.admitted();
        var publisher = admission.reportPublisher();
        refused(() -> admission.finishAdmitted(AttemptFixture.RELEASED), "terminal_commit", "terminal_missing");
        attempt.owner.commitTerminal(Outcome.SUCCEEDED);
        refused(() -> publisher.seal(Outcome.DROPPED), "report_ready", "terminal_commit_missing");
        refused(() -> admission.finishNotAdmitted(Outcome.DROPPED), "finalize", "admitted");
        assertThat(attempt.factory.report()).isEmpty();

        admission.finishAdmitted(AttemptFixture.RELEASED);
        refused(() -> admission.finishAdmitted(AttemptFixture.RELEASED), "terminal_commit", "already_recorded");
        publisher.seal(Outcome.DROPPED).run();
        publisher.seal(Outcome.DROPPED).run();
        assertThat(attempt.report().outcome()).isEqualTo(Outcome.SUCCEEDED);
        assertThat(attempt.counters().reportsReady()).isEqualTo(1);
    }

    private static void refused(ThrowingCallable call, String boundary, String reason) {
        assertThatThrownBy(call).isInstanceOfSatisfying(AttemptLifecycleException.class, refused -> {
            assertThat(refused.violation()).isEqualTo(Violation.INVALID_ORDER);
            assertThat(refused.boundary()).isEqualTo(boundary);
            assertThat(refused.reason()).isEqualTo(reason);
        });
    }
}
