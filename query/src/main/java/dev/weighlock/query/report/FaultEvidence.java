package dev.weighlock.query.report;

import org.jspecify.annotations.Nullable;

/** What an engine said about a fault of its device, unchanged. */
public record FaultEvidence(
        Isolation isolation,
        TeardownHealth teardownHealth,
        @Nullable DeviceHealth deviceHealth,
        @Nullable Fault firstFault) {
    /** How far the fault reaches. */
    public enum Isolation {
        DEVICE_LOCAL,
        UNKNOWN
    }

    /** Whether the engine's own teardown came to its end. */
    public enum TeardownHealth {
        COMPLETED,
        INCOMPLETE,
        UNKNOWN
    }

    /** The engine's word on its device. */
    public enum DeviceStatus {
        HEALTHY,
        UNHEALTHY
    }

    /** What kind of fault it was. */
    public enum FaultKind {
        FATAL_DEVICE_OPERATION,
        TEARDOWN,
        UNKNOWN
    }

    /** The engine's counts for its device. */
    public record DeviceHealth(
            DeviceStatus status, long faultCount, long rejectedOperationCount, long quarantinedTeardownCount) {}

    /**
     * The first fault.
     *
     * @param status the engine's status, an unsigned 32-bit number: 0 to 2^32 - 1
     */
    public record Fault(FaultKind kind, @Nullable Long status) {
        public Fault {
            if (status != null && (status < 0 || status > 0xFFFF_FFFFL)) {
                throw new IllegalArgumentException("a fault status is an unsigned 32-bit number, not " + status);
            }
        }
    }
}
