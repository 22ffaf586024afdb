package dev.weighlock.batch.repository;

/**
 * Who did what to an execution, and why; stored in the transaction that does it.
 *
 * @param action such as {@code stop}, {@code abandon}, {@code recover}, {@code accept-change}
 * @param actor the user, and where they came from
 * @param detail bounded text without secrets
 */
public record AuditEntry(String action, String actor, String detail) {}
