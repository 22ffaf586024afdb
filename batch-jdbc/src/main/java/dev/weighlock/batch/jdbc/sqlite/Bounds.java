package dev.weighlock.batch.jdbc.sqlite;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;
import dev.weighlock.batch.ExecutionContext;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** What a column takes: contexts and evidence beyond their bound are refused, text for people is cut. */
final class Bounds {
    static final int CONTEXT_BYTES = 64 * 1024;
    static final int PARTITION_BYTES = 4 * 1024;
    static final int EVIDENCE_BYTES = 256 * 1024;
    static final int DIAGNOSTICS_CHARS = 16 * 1024;

    private static final String CUT = " … (cut)";

    private Bounds() {}

    static String context(ExecutionContext context) {
        return checked("a job or step context", context.toJson(), CONTEXT_BYTES);
    }

    static String partitionContext(ExecutionContext context) {
        return checked("a partition's context or input", context.toJson(), PARTITION_BYTES);
    }

    static Optional<String> evidence(Optional<String> evidence) {
        return evidence.map(json -> checked("evidence", json, EVIDENCE_BYTES));
    }

    private static String checked(String what, String json, int maxBytes) {
        if (json.length() > maxBytes || json.getBytes(StandardCharsets.UTF_8).length > maxBytes) {
            throw new BatchException(BatchError.TOO_LARGE, what + " is limited to " + maxBytes / 1024 + " KiB of JSON");
        }
        return json;
    }

    /** Text for people: without NUL, which not every database stores, and cut at a whole character. */
    static String text(String text) {
        var kept = text;
        if (text.length() > DIAGNOSTICS_CHARS) {
            int end = DIAGNOSTICS_CHARS - CUT.length();
            kept = text.substring(0, Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end) + CUT;
        }
        return kept.replace('\0', '\uFFFD');
    }
}
