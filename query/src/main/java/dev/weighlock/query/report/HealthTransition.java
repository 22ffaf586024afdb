package dev.weighlock.query.report;

/** What an attempt's release meant for the health of its device. */
public enum HealthTransition {
    HEALTHY_REUSE,
    DEVICE_QUARANTINED,
    BACKEND_UNHEALTHY
}
