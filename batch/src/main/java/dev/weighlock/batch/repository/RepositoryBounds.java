package dev.weighlock.batch.repository;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;
import dev.weighlock.batch.ExecutionContext;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * What a repository takes: contexts and evidence beyond their bound are refused, text for people is cut. For
 * implementers of the port; pure.
 */
public final class RepositoryBounds {
    private static final int CONTEXT_BYTES = 64 * 1024;
    private static final int PARTITION_BYTES = 4 * 1024;
    private static final int EVIDENCE_BYTES = 256 * 1024;
    private static final int TEXT_CHARS = 16 * 1024;

    private static final int REPLACEMENT = 0xFFFD;
    private static final String CUT = " … (cut)";

    private RepositoryBounds() {}

    /** The stored form of a job's or step's context. */
    public static String context(ExecutionContext context) {
        return checked("a job or step context", context.toJson(), CONTEXT_BYTES);
    }

    /** The stored form of a partition's context or input. */
    public static String partitionContext(ExecutionContext context) {
        return checked("a partition's context or input", context.toJson(), PARTITION_BYTES);
    }

    public static Optional<String> evidence(Optional<String> evidence) {
        return evidence.map(json -> checked("evidence", json, EVIDENCE_BYTES));
    }

    private static String checked(String what, String json, int maxBytes) {
        if (json.length() > maxBytes || json.getBytes(StandardCharsets.UTF_8).length > maxBytes) {
            throw new BatchException(BatchError.TOO_LARGE, what + " is limited to " + maxBytes / 1024 + " KiB of JSON");
        }
        return json;
    }

    /** Text for people: cut at a whole character, and without what not every database stores: NUL, halves of characters. */
    public static String text(String text) {
        var kept = text;
        if (text.length() > TEXT_CHARS) {
            int end = TEXT_CHARS - CUT.length();
            kept = text.substring(0, Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end) + CUT;
        }
        return kept.codePoints()
                .map(c -> c == 0 || Character.getType(c) == Character.SURROGATE ? REPLACEMENT : c)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }
}
