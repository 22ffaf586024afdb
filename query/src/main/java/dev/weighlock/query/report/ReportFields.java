package dev.weighlock.query.report;

import dev.weighlock.query.json.JsonRow;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Writes the JSON fields of a report, in the order of its schema. */
final class ReportFields {
    private ReportFields() {}

    static void write(JsonRow out, AttemptReport report) {
        var identity = report.identity();
        out.text("schema", AttemptReport.SCHEMA)
                .text("attempt_id", identity.attemptId())
                .text("query_id", identity.queryId())
                .text("trace_context", identity.traceContext())
                .text("engine", identity.engine())
                .text("disposition", report.disposition())
                .object("outcome", report.outcome(), FailureFields::writeOutcome)
                .text("phase_at_end", report.phaseAtEnd())
                .text("cancel_reason", cancelReason(report))
                .object("primary_failure", report.primaryFailure(), FailureFields::writeSummary)
                .text("retry_advice", report.retryAdvice());
        writeAdmission(out, report);
        out.object("timestamps", report.timestamps(), ReportFields::writeTimestamps);
        writeCleanup(out, report.cleanup());
        writeCapacity(out, report.capacity());
        out.number("result_rows", report.result().rows())
                .flag("result_complete", report.result().complete())
                .object("observation", report.observation(), ReportFields::writeObservation)
                .number("unix_epoch_ns", report.unixEpochNanos());
    }

    private static @Nullable String cancelReason(AttemptReport report) {
        var reason = report.cancelReason();
        return reason == null ? null : reason.name().toLowerCase(Locale.ROOT);
    }

    private static void writeAdmission(JsonRow out, AttemptReport report) {
        out.number("device_ordinal", report.deviceOrdinal().orElse(null))
                .object(
                        "admission",
                        report.admission(),
                        (row, fact) -> row.number("admission_sequence", fact.admissionSequence())
                                .number("admission_wait_ns", fact.admissionWaitNanos())
                                .number("device_ordinal", fact.deviceOrdinal())
                                .number("grant_bytes", fact.grantBytes()))
                .object(
                        "admission_wait",
                        report.admissionWait(),
                        (row, wait) -> row.text("reason", wait.reason()).number("passed_by", wait.passedBy()))
                .object(
                        "composed_schedule",
                        report.composedSchedule(),
                        (row, schedule) -> row.text("attempt_id", schedule.attemptId())
                                .number("device_ordinal", schedule.deviceOrdinal()));
    }

    private static void writeTimestamps(JsonRow out, Timestamps at) {
        out.number("submitted", at.submitted())
                .number("planning_started", at.planningStarted())
                .number("planning_finished", at.planningFinished())
                .number("admission_requested", at.admissionRequested())
                .number("admitted", at.admitted())
                .number("physical_execution_started", at.physicalExecutionStarted())
                .number("device_execution_started", at.deviceExecutionStarted())
                .number("outcome_terminal", at.outcomeTerminal())
                .number("cleanup_complete", at.cleanupComplete())
                .number("report_ready", at.reportReady());
    }

    private static void writeCleanup(JsonRow out, CleanupFacts cleanup) {
        out.text("cleanup_disposition", cleanup.disposition())
                .number("cleanup_failure_count", cleanup.failureCount())
                .flag("cleanup_failure_count_complete", cleanup.failureCountComplete())
                .object("first_cleanup_failure", cleanup.firstFailure(), FailureFields::writeCleanupFailure);
    }

    private static void writeCapacity(JsonRow out, CapacityFacts capacity) {
        out.text("capacity_disposition", capacity.disposition())
                .object("final_domain_usage", capacity.finalDomainUsage(), EvidenceFields::writeUsage)
                .text("health_transition", capacity.healthTransition())
                .object("native_fault_evidence", capacity.faultEvidence(), EvidenceFields::writeFault)
                .object("resource_evidence", capacity.resourceEvidence(), EvidenceFields::writeResource)
                .number("peak_bytes", capacity.peakBytes())
                .number("overshoot_bytes", capacity.overshootBytes());
    }

    private static void writeObservation(JsonRow out, ObservationCompleteness completeness) {
        out.number("lost_records", completeness.lostRecords())
                .number("retained_records", completeness.retainedRecords())
                .number("retained_bytes", completeness.retainedBytes())
                .flag("truncated", completeness.truncated())
                .flag("degraded", completeness.degraded());
    }
}
