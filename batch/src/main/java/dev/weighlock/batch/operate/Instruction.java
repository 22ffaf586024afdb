package dev.weighlock.batch.operate;

import dev.weighlock.batch.repository.AuditEntry;
import java.util.Optional;

/**
 * Who wants something done, and why.
 *
 * @param reason for the audit; may be empty
 * @param key an idempotency key: the same act with the same key again changes nothing
 */
public record Instruction(String actor, String reason, Optional<String> key) {
    private static final int MOST_CHARS = 200;

    /** @throws IllegalArgumentException for a key without text, or with more than 200 characters */
    public Instruction {
        key.ifPresent(text -> {
            if (text.isBlank() || text.length() > MOST_CHARS) {
                throw new IllegalArgumentException("an idempotency key has 1 to " + MOST_CHARS + " characters");
            }
        });
    }

    public Instruction(String actor, String reason) {
        this(actor, reason, Optional.empty());
    }

    AuditEntry audit(String action) {
        return new AuditEntry(action, actor, reason, key);
    }
}
