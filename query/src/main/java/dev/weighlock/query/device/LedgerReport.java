package dev.weighlock.query.device;

import java.util.List;

/** A snapshot with the grants behind it, oldest first, read in one lock hold. */
public record LedgerReport(LedgerSnapshot snapshot, List<GrantRow> grants) {
    public LedgerReport {
        grants = List.copyOf(grants);
    }

    public long availableBytes() {
        return snapshot.availableBytes();
    }

    /** The same figure under the name reports give it: nothing but grants and residents takes from it. */
    public long freeBytes() {
        return snapshot.availableBytes();
    }

    public String healthLabel() {
        return snapshot.health().label();
    }
}
