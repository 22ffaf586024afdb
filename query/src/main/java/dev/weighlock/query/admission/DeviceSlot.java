package dev.weighlock.query.admission;

import dev.weighlock.query.QueryException;
import dev.weighlock.query.device.DeviceHealth;
import dev.weighlock.query.device.DeviceLedger;
import dev.weighlock.query.device.FaultIsolation;
import dev.weighlock.query.device.LedgerSnapshot;
import org.jspecify.annotations.Nullable;

/**
 * A device as the queue sees it: its latest snapshot and the waiter room is kept for. Not thread-safe: the service's
 * mutex guards it.
 */
final class DeviceSlot {
    private final DeviceLedger ledger;
    private @Nullable LedgerSnapshot snapshot;
    /** Set when the ledger admitted nothing although the snapshot promised room; until the next refresh. */
    private boolean exhausted;

    @Nullable
    Waiter keptFor;

    DeviceSlot(DeviceLedger ledger) {
        this.ledger = ledger;
    }

    DeviceLedger ledger() {
        return ledger;
    }

    /** Reads the ledger once; a poisoned one counts as closed. */
    void refresh() {
        exhausted = false;
        try {
            snapshot = ledger.snapshot();
        } catch (QueryException poisoned) {
            snapshot = null;
        }
    }

    void markExhausted() {
        exhausted = true;
    }

    /** The state to decide by; null when the device admits nothing. */
    @Nullable
    LedgerSnapshot open() {
        LedgerSnapshot latest = snapshot;
        return latest != null && latest.health().isOpen() ? latest : null;
    }

    boolean mayAdmit() {
        LedgerSnapshot latest = open();
        return !exhausted && latest != null && latest.active() < latest.maxActive();
    }

    boolean isClosedForUnknownIsolation() {
        LedgerSnapshot latest = snapshot;
        return latest != null
                && latest.health() instanceof DeviceHealth.Closed closed
                && closed.isolation() == FaultIsolation.UNKNOWN;
    }

    boolean hasCapabilitiesOf(AdmissionRequest request) {
        return ledger.profile().capabilities().containsAll(request.capabilities());
    }
}
