package dev.weighlock.query.report;

import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.ErrorStatus;
import dev.weighlock.query.FactKey;
import dev.weighlock.query.ReportOperation;
import dev.weighlock.query.json.JsonObject;
import dev.weighlock.query.json.JsonRow;
import java.util.List;
import java.util.Locale;

/** The JSON fields of outcomes and failures, both ways. */
final class FailureFields {
    private FailureFields() {}

    static void writeOutcome(JsonRow out, Outcome outcome) {
        out.text("kind", outcome.kind());
        if (outcome instanceof Outcome.Failed(var code, var status)) {
            out.text("code", code).text("status", status);
        }
    }

    static Outcome readOutcome(JsonObject in) {
        return switch (in.constant("kind", OutcomeKind.class)) {
            case SUCCEEDED -> Outcome.SUCCEEDED;
            case FAILED ->
                Outcome.failed(in.constant("code", ErrorCode.class), in.constant("status", ErrorStatus.class));
            case CANCELLED -> Outcome.CANCELLED;
            case DROPPED -> Outcome.DROPPED;
            case PANICKED -> Outcome.PANICKED;
        };
    }

    static void writeSummary(JsonRow out, FailureSummary summary) {
        out.text("code", summary.code())
                .text("status", summary.status())
                .text("operation", summary.operation())
                .text("origin", summary.origin())
                .objects(
                        "facts",
                        summary.facts(),
                        (row, fact) -> row.text("key", fact.key().key()).text("value", fact.value()))
                .text("text", summary.text());
    }

    static FailureSummary readSummary(JsonObject in) {
        return new FailureSummary(
                in.constant("code", ErrorCode.class),
                in.constant("status", ErrorStatus.class),
                in.constant("operation", ReportOperation.class),
                in.constant("origin", FailureOrigin.class),
                readFacts(in.objects("facts")),
                in.textOrNull("text"));
    }

    private static List<FailureFact> readFacts(List<JsonObject> facts) {
        return facts.stream()
                .map(fact ->
                        new FailureFact(FactKey.valueOf(fact.text("key").toUpperCase(Locale.ROOT)), fact.text("value")))
                .toList();
    }

    static void writeCleanupFailure(JsonRow out, CleanupFailure failure) {
        out.text("phase", failure.phase())
                .object("failure", failure.failure(), FailureFields::writeSummary)
                .flag("complete", failure.complete());
    }

    static CleanupFailure readCleanupFailure(JsonObject in) {
        return new CleanupFailure(
                in.constant("phase", CleanupPhase.class), readSummary(in.object("failure")), in.flag("complete"));
    }
}
