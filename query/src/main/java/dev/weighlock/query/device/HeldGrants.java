package dev.weighlock.query.device;

import dev.weighlock.query.lifecycle.OpenHandles;
import java.util.List;
import java.util.function.Supplier;

/**
 * The grants and frozen residents of one ledger, as a backend names what is open. Any thread that holds no ledger.
 * A poisoned ledger tells too: its grants are still to be closed.
 */
public final class HeldGrants implements Supplier<List<OpenHandles.Held>> {
    private final DeviceLedger ledger;

    public HeldGrants(DeviceLedger ledger) {
        this.ledger = ledger;
    }

    /** Tells one grant from those of other ledgers. */
    private record Id(int deviceOrdinal, long grantId) {}

    @Override
    public List<OpenHandles.Held> get() {
        return ledger.rowsAlsoOfAPoisonedLedger().stream().map(this::held).toList();
    }

    private OpenHandles.Held held(GrantRow row) {
        String attempt = row.attempt().toString();
        return new OpenHandles.Held(
                new Id(ledger.deviceOrdinal(), row.grantId()),
                kind(row),
                row.holder().equals(attempt) ? attempt : row.holder() + " (attempt " + attempt + ")",
                row.heldSinceNanos(),
                row.leaked());
    }

    private String kind(GrantRow row) {
        String grant = "grant " + row.grantId() + " of device " + ledger.deviceOrdinal();
        if (row.frozenResidentBytes().isPresent()) {
            return "resident lease on " + row.frozenResidentBytes().getAsLong() + " bytes of " + grant;
        }
        return row.residentOwnerBytes() == 0
                ? grant
                : grant + " with a resident lease on " + row.residentOwnerBytes() + " bytes";
    }
}
