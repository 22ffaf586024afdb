package dev.weighlock.query.device;

/** How far a fault reaches. */
public enum FaultIsolation {
    DEVICE_LOCAL,
    /** Nobody can say that other devices are sound. */
    UNKNOWN
}
