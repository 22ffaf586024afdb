package dev.weighlock.query.lifecycle;

/** One reading of the gate's word: all three values belong to the same instant. */
public record LifecycleSnapshot(boolean closing, int activeObservationPermits, int activeDevicePermits) {}
