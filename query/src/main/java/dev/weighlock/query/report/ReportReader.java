package dev.weighlock.query.report;

import dev.weighlock.query.AttemptId;
import dev.weighlock.query.Reason;
import dev.weighlock.query.json.JsonObject;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Reads the JSON fields of a report. */
final class ReportReader {
    private ReportReader() {}

    static AttemptReport read(JsonObject in) {
        if (!in.text("schema").equals(AttemptReport.SCHEMA)) {
            throw new IllegalArgumentException("not a " + AttemptReport.SCHEMA + ": " + in.text("schema"));
        }
        return new AttemptReport(
                readIdentity(in),
                in.constant("disposition", Disposition.class),
                FailureFields.readOutcome(in.object("outcome")),
                in.objectOrNull("primary_failure", FailureFields::readSummary),
                in.constant("retry_advice", RetryAdvice.class),
                in.objectOrNull("admission", ReportReader::readAdmission),
                in.objectOrNull("admission_wait", ReportReader::readWait),
                in.objectOrNull("composed_schedule", ReportReader::readSchedule),
                readTimestamps(in.object("timestamps")),
                readCleanup(in),
                readCapacity(in),
                new ResultFacts(in.number("result_rows"), in.flag("result_complete")),
                in.constant("phase_at_end", AttemptPhase.class),
                readCancelReason(in.textOrNull("cancel_reason")),
                readObservation(in.object("observation")),
                in.numberOrNull("unix_epoch_ns"));
    }

    private static AttemptIdentity readIdentity(JsonObject in) {
        var queryId = in.textOrNull("query_id");
        var trace = in.textOrNull("trace_context");
        return new AttemptIdentity(
                AttemptId.parse(in.text("attempt_id")),
                queryId == null ? null : new QueryId(queryId),
                trace == null ? null : new TraceContext(trace),
                in.text("engine"));
    }

    private static AdmissionFact readAdmission(JsonObject in) {
        return new AdmissionFact(
                in.number("admission_sequence"),
                in.number("admission_wait_ns"),
                Math.toIntExact(in.number("device_ordinal")),
                in.number("grant_bytes"));
    }

    private static AdmissionWait readWait(JsonObject in) {
        var reason = in.textOrNull("reason");
        return new AdmissionWait(
                reason == null ? null : Reason.valueOf(reason.toUpperCase(Locale.ROOT)),
                Math.toIntExact(in.number("passed_by")));
    }

    private static ComposedSchedule readSchedule(JsonObject in) {
        return new ComposedSchedule(
                AttemptId.parse(in.text("attempt_id")), Math.toIntExact(in.number("device_ordinal")));
    }

    private static Timestamps readTimestamps(JsonObject in) {
        return new Timestamps(
                in.number("submitted"),
                in.numberOrNull("planning_started"),
                in.numberOrNull("planning_finished"),
                in.numberOrNull("admission_requested"),
                in.numberOrNull("admitted"),
                in.numberOrNull("physical_execution_started"),
                in.numberOrNull("device_execution_started"),
                in.number("outcome_terminal"),
                in.numberOrNull("cleanup_complete"),
                in.numberOrNull("report_ready"));
    }

    private static CleanupFacts readCleanup(JsonObject in) {
        return new CleanupFacts(
                in.constant("cleanup_disposition", CleanupDisposition.class),
                in.number("cleanup_failure_count"),
                in.flag("cleanup_failure_count_complete"),
                in.objectOrNull("first_cleanup_failure", FailureFields::readCleanupFailure));
    }

    private static CapacityFacts readCapacity(JsonObject in) {
        return new CapacityFacts(
                in.constant("capacity_disposition", CapacityDisposition.class),
                in.objectOrNull("final_domain_usage", EvidenceFields::readUsage),
                in.constantOrNull("health_transition", HealthTransition.class),
                in.objectOrNull("native_fault_evidence", EvidenceFields::readFault),
                in.objectOrNull("resource_evidence", EvidenceFields::readResource),
                in.numberOrNull("peak_bytes"),
                in.numberOrNull("overshoot_bytes"));
    }

    private static @Nullable CancelReason readCancelReason(@Nullable String text) {
        return text == null ? null : CancelReason.valueOf(text.toUpperCase(Locale.ROOT));
    }

    private static ObservationCompleteness readObservation(JsonObject in) {
        return new ObservationCompleteness(
                in.number("lost_records"),
                in.number("retained_records"),
                in.number("retained_bytes"),
                in.flag("truncated"),
                in.flag("degraded"));
    }
}
