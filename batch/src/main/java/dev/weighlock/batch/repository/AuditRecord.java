package dev.weighlock.batch.repository;

import java.time.Instant;
import java.util.OptionalLong;

/**
 * An audit entry as it was stored.
 *
 * @param execution empty for acts that concern none, such as a purge
 */
public record AuditRecord(OptionalLong execution, Instant at, AuditEntry entry) {}
