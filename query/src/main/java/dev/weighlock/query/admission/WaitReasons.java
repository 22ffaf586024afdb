package dev.weighlock.query.admission;

import dev.weighlock.query.QueryException;
import dev.weighlock.query.device.GrantRow;
import dev.weighlock.query.device.LedgerReport;
import dev.weighlock.query.device.LedgerSnapshot;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Says why requests wait, from one report per device. Made under the service's mutex, where it copies what it needs;
 * asked after it.
 */
final class WaitReasons {
    private static final int NAMED_HOLDERS = 3;

    private final long nowNanos;
    private final long cleaningLimitNanos;
    private final Map<DeviceSlot, LedgerReport> reports = new LinkedHashMap<>();
    private final Map<DeviceSlot, Kept> kept = new HashMap<>();
    private final Map<Pool, Integer> running = new HashMap<>();

    /** Room kept for a waiter that was passed so often. */
    private record Kept(Waiter waiter, int passes) {}

    WaitReasons(AdmissionQueue queue, long nowNanos, long cleaningLimitNanos) {
        this.nowNanos = nowNanos;
        this.cleaningLimitNanos = cleaningLimitNanos;
        queue.pools().forEach(pool -> running.put(pool, pool.running()));
        for (DeviceSlot device : queue.devices()) {
            Waiter waiter = device.keptFor;
            if (waiter != null) {
                kept.put(device, new Kept(waiter, waiter.passes));
            }
            try {
                reports.put(device, device.ledger().report());
            } catch (QueryException poisoned) {
                // A ledger that cannot be read admits nothing, so nobody waits for it.
            }
        }
    }

    List<LedgerReport> reports() {
        return new ArrayList<>(reports.values());
    }

    WaitReason of(Waiter waiter) {
        Pool pool = waiter.pool();
        int poolRuns = running.getOrDefault(pool, 0);
        if (poolRuns >= pool.config().maxRunning()) {
            return new WaitReason(
                    WaitReason.Kind.POOL_LIMIT,
                    "pool " + pool.config().name() + " runs " + poolRuns + " of "
                            + pool.config().maxRunning() + "; admitted when one of them ends",
                    List.of());
        }
        return best(waiter)
                .map(entry -> onDevice(waiter, entry.getKey(), entry.getValue()))
                .orElseGet(() -> new WaitReason(WaitReason.Kind.TURN, "no open device can be read now", List.of()));
    }

    /** The device where the waiter lacks least. */
    private Optional<Map.Entry<DeviceSlot, LedgerReport>> best(Waiter waiter) {
        return reports.entrySet().stream()
                .filter(entry -> entry.getValue().snapshot().health().isOpen()
                        && entry.getKey().hasCapabilitiesOf(waiter.request()))
                .max(Comparator.comparingLong(entry -> slack(entry.getValue().snapshot(), waiter)));
    }

    private static long slack(LedgerSnapshot state, Waiter waiter) {
        return state.availableBytes() - state.capBytes(waiter.cap());
    }

    private WaitReason onDevice(Waiter waiter, DeviceSlot device, LedgerReport report) {
        LedgerSnapshot state = report.snapshot();
        long bytes = state.capBytes(waiter.cap());
        String place = " on device " + state.deviceOrdinal();
        if (!state.canEverFit(waiter.cap())) {
            return reason(
                    WaitReason.Kind.RESIDENTS,
                    "residents hold " + state.frozenResidentBytes() + " of " + state.queryShareBytes() + " bytes"
                            + place + "; admitted when they leave room for " + bytes,
                    report);
        }
        if (state.active() >= state.maxActive()) {
            return reason(
                    WaitReason.Kind.SLOTS,
                    "all " + state.maxActive() + " slots" + place + " are taken; admitted when one is free",
                    report);
        }
        if (bytes > state.availableBytes()) {
            return reason(
                    WaitReason.Kind.BYTES,
                    "needs " + bytes + " bytes, " + state.availableBytes() + " are free" + place + "; admitted when "
                            + (bytes - state.availableBytes()) + " more are given back",
                    report);
        }
        return inTurn(waiter, kept.get(device), place);
    }

    private static WaitReason inTurn(Waiter waiter, @Nullable Kept kept, String place) {
        if (kept != null && kept.waiter() != waiter) {
            return new WaitReason(
                    WaitReason.Kind.ROOM_KEPT,
                    "room" + place + " is kept for request " + kept.waiter().id() + ", which was passed "
                            + kept.passes() + " times; admitted after it",
                    List.of());
        }
        return new WaitReason(WaitReason.Kind.TURN, "it fits" + place + "; admitted in its turn", List.of());
    }

    private WaitReason reason(WaitReason.Kind kind, String text, LedgerReport report) {
        List<GrantRow> holders = report.grants().stream()
                .sorted(Comparator.comparingLong(GrantRow::heldSinceNanos))
                .toList();
        String named = holders.stream().limit(NAMED_HOLDERS).map(this::describe).collect(Collectors.joining(", "));
        String rest = holders.size() > NAMED_HOLDERS ? " and " + (holders.size() - NAMED_HOLDERS) + " more" : "";
        return new WaitReason(kind, holders.isEmpty() ? text : text + " (held by " + named + rest + ")", holders);
    }

    private String describe(GrantRow row) {
        long bytes = row.frozenResidentBytes().orElse(row.grantBytes());
        return row.holder() + ": grant " + row.grantId() + ", " + bytes + " bytes for "
                + millis(nowNanos - row.heldSinceNanos()) + " ms" + state(row);
    }

    private String state(GrantRow row) {
        if (row.leaked()) {
            return ", leaked";
        }
        return row.cleaning()
                .map(cleaning -> {
                    long nanos = nowNanos - cleaning.sinceNanos();
                    return ", being cleaned up for " + millis(nanos) + " ms (" + cleaning.reason() + ")"
                            + (nanos >= cleaningLimitNanos ? ", its instance is quarantined" : "");
                })
                .orElse("");
    }

    private static long millis(long nanos) {
        return nanos / 1_000_000;
    }
}
