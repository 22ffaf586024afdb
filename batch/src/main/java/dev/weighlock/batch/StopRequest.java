package dev.weighlock.batch;

import java.time.Instant;

/**
 * An operator's wish that an execution stops. The owner alone acts on it.
 *
 * @param actor who asked, for the audit
 */
public record StopRequest(long executionId, String actor, Instant requestedAt) {}
