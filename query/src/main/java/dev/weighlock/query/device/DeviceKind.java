package dev.weighlock.query.device;

/** What a device is. */
public enum DeviceKind {
    HOST,
    CUDA,
    /** Many machines seen as one budget. */
    CLUSTER
}
