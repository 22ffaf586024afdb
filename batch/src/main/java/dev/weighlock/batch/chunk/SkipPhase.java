package dev.weighlock.batch.chunk;

/** Where an item was skipped. */
public enum SkipPhase {
    READ,
    PROCESS,
    WRITE
}
