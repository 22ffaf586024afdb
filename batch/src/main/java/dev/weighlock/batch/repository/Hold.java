package dev.weighlock.batch.repository;

import java.time.Instant;

/** A person's word that an instance is neither restarted nor removed. */
public record Hold(long instanceId, String actor, String reason, Instant since) {}
