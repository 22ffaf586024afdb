package dev.weighlock.query.attempt;

import static dev.weighlock.query.attempt.AttemptLifecycleException.invalidOrder;

import dev.weighlock.query.AttemptId;
import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.ReportOperation;
import dev.weighlock.query.report.AdmissionFact;
import dev.weighlock.query.report.AdmissionWait;
import dev.weighlock.query.report.AttemptPhase;
import dev.weighlock.query.report.CleanupFacts;
import dev.weighlock.query.report.CleanupPhase;
import dev.weighlock.query.report.ComposedSchedule;
import dev.weighlock.query.report.Disposition;
import dev.weighlock.query.report.FailureSummary;
import dev.weighlock.query.report.Outcome;
import dev.weighlock.query.report.ResultFacts;
import dev.weighlock.query.report.Timestamps;
import org.jspecify.annotations.Nullable;

/**
 * The order of an attempt's boundaries and what was recorded at each. Every method either does its whole step or throws
 * and changes nothing. Guarded by the attempt lock; times are the attempt clock's, read by the caller.
 */
final class AttemptLifecycle {
    private final long submitted;
    private @Nullable Long planningStarted;
    private @Nullable Long planningFinished;
    private @Nullable Long admissionRequested;
    private @Nullable Long admitted;
    private @Nullable Long physicalStarted;
    private @Nullable Long deviceStarted;
    private @Nullable Long terminal;
    private @Nullable Long cleanupComplete;
    private @Nullable Long reportReady;

    private boolean fetchStarted;
    private boolean finalized;
    private @Nullable Disposition disposition;
    private @Nullable AdmissionFact admission;
    private @Nullable AdmissionWait admissionWait;
    private @Nullable ComposedSchedule composedSchedule;
    private @Nullable Outcome outcome;
    private @Nullable FailureSummary primaryFailure;
    private @Nullable TerminalCommit terminalCommit;
    private AttemptPhase phaseAtEnd = AttemptPhase.PLANNING;
    private ResultFacts result = ResultFacts.NONE;
    private final CleanupTally cleanup = new CleanupTally();

    AttemptLifecycle(long submitted) {
        this.submitted = submitted;
    }

    void planningStarted(long at) {
        requireLive("planning_started");
        require(planningStarted == null, "planning_started", "already_recorded");
        require(admissionRequested == null, "planning_started", "admission_requested");
        planningStarted = at;
    }

    void planningFinished(long at) {
        requireLive("planning_finished");
        require(planningStarted != null, "planning_finished", "planning_not_started");
        require(planningFinished == null, "planning_finished", "already_recorded");
        planningFinished = at;
    }

    /** A later disposition refines an earlier one: an engine may know better once it has executed. */
    void disposition(Disposition newDisposition) {
        requireLive("disposition");
        require(!isPlanning(), "disposition", "planning_not_finished");
        disposition = newDisposition;
    }

    void admissionRequested(long at) {
        requireLive("admission_requested");
        require(!isPlanning(), "admission_requested", "planning_not_finished");
        require(disposition != null, "admission_requested", "disposition_missing");
        require(physicalStarted == null, "admission_requested", "execution_started");
        admissionRequested = at;
    }

    void admitted(AdmissionFact fact, @Nullable AdmissionWait wait, long at) {
        requireLive("admitted");
        require(admissionRequested != null, "admitted", "admission_not_requested");
        require(admission == null, "admitted", "already_recorded");
        admission = fact;
        admissionWait = wait;
        admitted = at;
    }

    void composedSchedule(ComposedSchedule schedule, AttemptId attemptId) {
        require(schedule.attemptId().equals(attemptId), "composed_schedule", "attempt_id_mismatch");
        require(!isFinalized(), "composed_schedule", "finalized");
        require(admission != null, "composed_schedule", "admission_missing");
        require(
                admission == null || schedule.deviceOrdinal() == admission.deviceOrdinal(),
                "composed_schedule",
                "device_mismatch");
        composedSchedule = schedule;
    }

    void physicalExecutionStarted(long at) {
        requireLive("physical_execution_started");
        require(physicalStarted == null, "physical_execution_started", "already_recorded");
        require(admissionRequested == null || admission != null, "physical_execution_started", "admission_outstanding");
        physicalStarted = at;
    }

    void deviceExecutionStarted(long at) {
        requireLive("device_execution_started");
        require(physicalStarted != null, "device_execution_started", "execution_not_started");
        require(deviceStarted == null, "device_execution_started", "already_recorded");
        deviceStarted = at;
    }

    void fetchStarted() {
        requireLive("fetch_started");
        require(physicalStarted != null, "fetch_started", "execution_not_started");
        fetchStarted = true;
    }

    void result(ResultFacts facts) {
        require(!isFinalized(), "result", "finalized");
        result = facts;
    }

    /** Keeps the first failure; what goes wrong after a success is cleanup's to count. */
    void primaryFailure(FailureSummary summary) {
        if (primaryFailure == null && !isFinalized() && !Outcome.SUCCEEDED.equals(outcome)) {
            primaryFailure = summary;
        }
    }

    void cleanupFailure(CleanupPhase phase, FailureSummary summary) {
        if (reportReady == null) {
            cleanup.add(phase, summary);
        }
    }

    /** Fixes the outcome. One that somebody outside the query decided brings its own summary when there is none. */
    void terminalize(Outcome newOutcome, long at) {
        if (outcome != null) {
            throw AttemptLifecycleException.doubleTerminalization();
        }
        phaseAtEnd = phase();
        var controlCode = controlCode(newOutcome);
        if (primaryFailure == null && controlCode != null) {
            primaryFailure = FailureSummary.control(controlCode, phaseAtEnd.operation());
        }
        outcome = newOutcome;
        terminal = at;
    }

    /** As {@link #terminalize}, for a request that was refused before it could queue. */
    void terminalizeRejection(Outcome newOutcome, FailureSummary summary, long at) {
        primaryFailure(summary);
        terminalize(newOutcome, at);
        phaseAtEnd = AttemptPhase.ADMISSION;
    }

    private static @Nullable ErrorCode controlCode(Outcome outcome) {
        return switch (outcome.kind()) {
            case CANCELLED -> ErrorCode.CANCELLED;
            case DROPPED -> ErrorCode.DROPPED;
            case PANICKED -> ErrorCode.PANICKED;
            case SUCCEEDED, FAILED -> null;
        };
    }

    void finalizeNotAdmitted() {
        require(outcome != null, "finalize", "terminal_missing");
        require(admission == null, "finalize", "admitted");
        require(!finalized, "finalize", "already_recorded");
        finalized = true;
    }

    void terminalCommit(TerminalCommit commit, long at) {
        require(outcome != null, "terminal_commit", "terminal_missing");
        require(admission != null, "terminal_commit", "not_admitted");
        require(terminalCommit == null, "terminal_commit", "already_recorded");
        terminalCommit = commit;
        cleanupComplete = at;
    }

    void requireFinalized() {
        require(outcome != null, "report_ready", "terminal_missing");
        require(isFinalized(), "report_ready", admission == null ? "finalization_missing" : "terminal_commit_missing");
    }

    void reportReady(long at) {
        requireFinalized();
        require(reportReady == null, "report_ready", "already_recorded");
        reportReady = at;
    }

    boolean isFinalized() {
        return finalized || terminalCommit != null;
    }

    boolean isReady() {
        return reportReady != null;
    }

    boolean isClaimed() {
        return admissionRequested != null;
    }

    boolean isAdmitted() {
        return admission != null;
    }

    private boolean isPlanning() {
        return planningStarted != null && planningFinished == null;
    }

    AttemptPhase phase() {
        if (outcome != null) {
            return AttemptPhase.CLEANUP;
        }
        if (fetchStarted) {
            return AttemptPhase.FETCH;
        }
        if (admission != null || physicalStarted != null) {
            return AttemptPhase.EXECUTION;
        }
        return admissionRequested != null ? AttemptPhase.QUEUE : AttemptPhase.PLANNING;
    }

    ReportOperation operation() {
        return phase().operation();
    }

    @Nullable
    Outcome outcome() {
        return outcome;
    }

    @Nullable
    FailureSummary primaryFailure() {
        return primaryFailure;
    }

    @Nullable
    Disposition disposition() {
        return disposition;
    }

    @Nullable
    AdmissionFact admission() {
        return admission;
    }

    @Nullable
    AdmissionWait admissionWait() {
        return admissionWait;
    }

    @Nullable
    ComposedSchedule composedSchedule() {
        return composedSchedule;
    }

    @Nullable
    TerminalCommit terminalCommit() {
        return terminalCommit;
    }

    AttemptPhase phaseAtEnd() {
        return phaseAtEnd;
    }

    ResultFacts result() {
        return result;
    }

    CleanupFacts cleanupFacts() {
        return cleanup.facts(admission != null);
    }

    Timestamps timestamps() {
        return new Timestamps(
                submitted,
                planningStarted,
                planningFinished,
                admissionRequested,
                admitted,
                physicalStarted,
                deviceStarted,
                terminal == null ? submitted : terminal,
                cleanupComplete,
                reportReady);
    }

    private void requireLive(String boundary) {
        require(outcome == null, boundary, "terminal");
    }

    private static void require(boolean holds, String boundary, String reason) {
        if (!holds) {
            throw invalidOrder(boundary, reason);
        }
    }
}
