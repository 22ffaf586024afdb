package dev.weighlock.query.device;

import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.FactKey;
import dev.weighlock.query.Facts;
import dev.weighlock.query.QueryException;
import org.jspecify.annotations.Nullable;

/** The three steps that turn a grant into a frozen resident, each under the ledger's lock. */
final class Freezing {
    private static final String RECONCILE = "memory_grant.reconcile";
    private static final String FREEZE = "memory_grant.freeze";
    private static final String VALIDATE = "memory_grant.validate";
    private static final String PUBLISH = "memory_grant.publish";

    private Freezing() {}

    static void beginCleaning(GrantRoot root, String reason) {
        DeviceLedger ledger = root.ledger();
        long now = ledger.clock().nanos();
        ledger.guard().release("begin_cleaning", () -> {
            GrantEntry entry = root.entry();
            if (entry.cleaning == null) {
                entry.cleaning = new GrantRow.Cleaning(reason, now);
            }
            return null;
        });
    }

    static void prepareMeasured(GrantRoot root, long measuredBytes, MemoryDomain domain) {
        refuseNegative(RECONCILE, measuredBytes);
        if (measuredBytes > root.bytes()) {
            throw violation(
                    RECONCILE,
                    "the measured resident bytes exceed the query cap",
                    Facts.of(FactKey.MEASURED_BYTES, measuredBytes).with(FactKey.QUERY_CAP_BYTES, root.bytes()));
        }
        root.ledger().decide("freeze_resident", () -> {
            prepareLocked(root, measuredBytes, domain);
            return null;
        });
    }

    static void prepare(GrantRoot root, long residentBytes) {
        refuseNegative(FREEZE, residentBytes);
        if (residentBytes > root.bytes()) {
            throw violation(
                    FREEZE,
                    "the frozen charge exceeds the query cap",
                    Facts.of(FactKey.RESIDENT_BYTES, residentBytes).with(FactKey.QUERY_CAP_BYTES, root.bytes()));
        }
        root.ledger().decide("freeze_resident", () -> {
            prepareLocked(root, residentBytes, null);
            return null;
        });
    }

    private static void refuseNegative(String operation, long bytes) {
        if (bytes < 0) {
            throw violation(operation, "frozen bytes cannot be negative", Facts.of(FactKey.RESIDENT_BYTES, bytes));
        }
    }

    private static void prepareLocked(GrantRoot root, long bytes, @Nullable MemoryDomain domain) {
        GrantEntry entry = presentEntry(root, FREEZE);
        Long existing = entry.frozen != null ? entry.frozen : entry.prepared;
        if (existing != null) {
            requireSame(root, existing, bytes, isSame(entry.domain, domain));
            return;
        }
        entry.prepared = bytes;
        entry.domain = domain;
        root.markFrozen();
        if (domain != null && entry.residentOwnerBytes != bytes) {
            root.ledger().books().setResidentOwnerBytes(entry, bytes);
            root.ledger().commit(TransitionKind.RESIDENT_OWNER_CHARGED);
        }
    }

    @SuppressWarnings("ReferenceEquality") // a domain is its own identity
    private static boolean isSame(@Nullable MemoryDomain one, @Nullable MemoryDomain other) {
        return one == other;
    }

    private static void requireSame(GrantRoot root, long existing, long bytes, boolean sameDomain) {
        if (existing != bytes || !sameDomain) {
            throw violation(
                    FREEZE,
                    "the grant was already frozen with a different charge",
                    grantFact(root)
                            .with(FactKey.EXISTING_RESIDENT_BYTES, existing)
                            .with(FactKey.RESIDENT_BYTES, bytes));
        }
    }

    static void validate(GrantRoot root) {
        root.ledger().decide("validate_freeze", () -> {
            GrantEntry entry = presentEntry(root, VALIDATE);
            if (entry.frozen == null) {
                requireRoom(root, preparedBytes(root, entry, VALIDATE), VALIDATE);
            }
            return null;
        });
    }

    static void publish(GrantRoot root) {
        DeviceLedger ledger = root.ledger();
        LedgerTransition transition = ledger.decide("publish_freeze", () -> {
            GrantEntry entry = presentEntry(root, PUBLISH);
            if (entry.frozen != null) {
                return null;
            }
            long bytes = preparedBytes(root, entry, PUBLISH);
            requireRoom(root, bytes, PUBLISH);
            ledger.books().freeze(entry, bytes);
            return ledger.commit(TransitionKind.GRANT_FROZEN);
        });
        if (transition != null) {
            ledger.tellFrozen(root.entry(), transition);
        }
    }

    private static GrantEntry presentEntry(GrantRoot root, String operation) {
        if (!root.entry().present) {
            throw violation(operation, "the grant has left its ledger", grantFact(root));
        }
        return root.entry();
    }

    private static long preparedBytes(GrantRoot root, GrantEntry entry, String operation) {
        Long prepared = entry.prepared;
        if (prepared == null) {
            throw violation(operation, "the freeze was not prepared", grantFact(root));
        }
        return prepared;
    }

    private static void requireRoom(GrantRoot root, long bytes, String operation) {
        try {
            root.ledger().books().frozenWith(bytes);
        } catch (ArithmeticException overflow) {
            throw new QueryException(
                    ErrorCode.INVARIANT_VIOLATION,
                    operation,
                    "the frozen bytes of the device would overflow",
                    grantFact(root).with(FactKey.RESIDENT_BYTES, bytes),
                    overflow);
        }
    }

    private static Facts grantFact(GrantRoot root) {
        return Facts.of(FactKey.GRANT_ID, root.identity().generation());
    }

    private static QueryException violation(String operation, String message, Facts facts) {
        return new QueryException(ErrorCode.INVARIANT_VIOLATION, operation, message, facts);
    }
}
