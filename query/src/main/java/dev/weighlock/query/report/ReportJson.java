package dev.weighlock.query.report;

import dev.weighlock.query.json.JsonObject;
import dev.weighlock.query.json.JsonRow;

/** The JSON form of a report, {@value AttemptReport#SCHEMA}: one object on one line, absent values left out. */
public final class ReportJson {
    private ReportJson() {}

    public static String write(AttemptReport report) {
        return JsonRow.write(out -> ReportFields.write(out, report));
    }

    /**
     * Reads what {@link #write} wrote. Fields it does not know are skipped.
     *
     * @throws IllegalArgumentException for another schema, a missing field or a value outside its closed set
     */
    public static AttemptReport read(String json) {
        return ReportReader.read(JsonObject.parse(json));
    }

    public static String write(SealedProjection projection) {
        return JsonRow.write(out -> out.text("schema", SealedProjection.SCHEMA)
                .text("attempt_id", projection.attemptId())
                .text("disposition", projection.disposition())
                .object("outcome", projection.outcome(), FailureFields::writeOutcome)
                .text("cleanup_disposition", projection.cleanupDisposition())
                .number("cleanup_failure_count", projection.cleanupFailureCount())
                .flag("cleanup_failure_count_complete", projection.cleanupFailureCountComplete())
                .text("capacity_disposition", projection.capacityDisposition())
                .text("health_transition", projection.healthTransition())
                .text("retry_advice", projection.retryAdvice())
                .flag("observation_truncated", projection.observationTruncated())
                .flag("observation_degraded", projection.observationDegraded())
                .flag("native_fault_evidence_present", projection.faultEvidencePresent())
                .flag("resource_evidence_present", projection.resourceEvidencePresent()));
    }
}
