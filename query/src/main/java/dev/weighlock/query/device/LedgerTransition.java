package dev.weighlock.query.device;

/** One mutation with the whole state right after it. */
public record LedgerTransition(TransitionKind kind, LedgerSnapshot snapshot) {}
