package dev.weighlock.query.device;

import dev.weighlock.query.AttemptId;

/** One grant of one ledger. Generations start at 1 and are never used twice within a ledger. */
public record GrantIdentity(AttemptId attempt, long generation) {}
