package dev.weighlock.query.attempt;

/** A begun attempt: the owner, which its holder closes, and the factory of its receivers. */
public record AttemptBegin(AttemptOwner owner, CompletionFactory completion) {}
