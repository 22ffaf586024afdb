package dev.weighlock.query.device;

/** Lets tests of other packages break a ledger from inside. */
public final class LedgerPoison {
    private LedgerPoison() {}

    public static void poison(DeviceLedger ledger) {
        try {
            ledger.guard().release("test", () -> {
                throw new IllegalStateException("planted");
            });
        } catch (IllegalStateException planted) {
            return;
        }
        throw new AssertionError("the ledger survived");
    }
}
