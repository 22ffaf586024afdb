package dev.weighlock.batch.repository;

import java.util.Optional;

/**
 * Who did what to an execution, and why; stored in the transaction that does it.
 *
 * @param action such as {@code stop}, {@code abandon}, {@code recover}, {@code accept-change}
 * @param actor the user, and where they came from
 * @param detail bounded text without secrets
 * @param key an idempotency key: of all acts with one key a repository takes the first and refuses the others with
 *     {@link dev.weighlock.batch.BatchError#ALREADY_DONE}
 */
public record AuditEntry(String action, String actor, String detail, Optional<String> key) {
    public AuditEntry(String action, String actor, String detail) {
        this(action, actor, detail, Optional.empty());
    }
}
