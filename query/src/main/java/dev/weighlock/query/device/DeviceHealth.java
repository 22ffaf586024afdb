package dev.weighlock.query.device;

/** Whether a device admits new attempts. It closes and never opens again; what runs still finishes and releases. */
public sealed interface DeviceHealth {
    /** Admits. */
    enum Open implements DeviceHealth {
        OPEN
    }

    /**
     * Admits nothing more.
     *
     * @param generation counts the closures of this device from 1, so a repeated one can be told from the first
     */
    record Closed(String reason, FaultIsolation isolation, long generation) implements DeviceHealth {}

    default boolean isOpen() {
        return this instanceof Open;
    }

    default String label() {
        return isOpen() ? "open" : "closed";
    }
}
