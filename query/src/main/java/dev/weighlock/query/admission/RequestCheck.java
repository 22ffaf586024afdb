package dev.weighlock.query.admission;

import dev.weighlock.query.QueryException;
import dev.weighlock.query.device.LedgerSnapshot;
import dev.weighlock.query.device.QueryCap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is wrong with a request from the start. Not thread-safe: the service's mutex guards the queue it reads. */
final class RequestCheck {
    private final AdmissionQueue queue;

    RequestCheck(AdmissionQueue queue) {
        this.queue = queue;
    }

    /** A request of a pool with a largest cap never gets more by leaving its cap open. */
    static QueryCap effectiveCap(AdmissionRequest request, Pool pool, List<DeviceSlot> devices) {
        long largest = pool.config().largestCapBytes();
        boolean bounded =
                devices.stream().anyMatch(device -> device.ledger().profile().defaultQueryLimitBytes() > largest);
        return request.cap() instanceof QueryCap.Default && bounded ? QueryCap.of(largest) : request.cap();
    }

    /** The error that refuses the request at once, null when it may queue. */
    @Nullable
    QueryException refusal(AdmissionRequest request, QueryCap cap, Pool pool) {
        if (cap instanceof QueryCap.Explicit(long bytes) && bytes == 0) {
            return Refusals.zeroCap();
        }
        if (queue.knows(request.attempt())) {
            return Refusals.askedTwice(request);
        }
        List<DeviceSlot> capable = queue.devices().stream()
                .filter(device -> device.hasCapabilitiesOf(request))
                .toList();
        if (capable.isEmpty()) {
            return Refusals.noSuchDevice(request);
        }
        QueryException size = cap instanceof QueryCap.Explicit(long bytes) ? sizeRefusal(bytes, pool, capable) : null;
        if (size != null) {
            return size;
        }
        if (capable.stream().noneMatch(device -> isOpenAndLargeEnough(device, cap))) {
            return Refusals.unhealthy(request);
        }
        return circleRefusal(request, cap, pool);
    }

    private static @Nullable QueryException sizeRefusal(long bytes, Pool pool, List<DeviceSlot> capable) {
        long least = Long.MAX_VALUE;
        long largest = 0;
        for (DeviceSlot device : capable) {
            least = Math.min(least, device.ledger().profile().minimumCapBytes());
            largest = Math.max(largest, device.ledger().profile().queryShareBytes());
        }
        largest = Math.min(largest, pool.config().largestCapBytes());
        if (bytes > largest) {
            return Refusals.neverFits(bytes, largest);
        }
        return bytes < least ? Refusals.capTooSmall(bytes, least) : null;
    }

    private static boolean isOpenAndLargeEnough(DeviceSlot device, QueryCap cap) {
        LedgerSnapshot state = device.open();
        return state != null && state.capBytes(cap) <= state.queryShareBytes();
    }

    private @Nullable QueryException circleRefusal(AdmissionRequest request, QueryCap cap, Pool pool) {
        List<Running> holders = queue.circles().holdersInTheWayOf(request, cap, pool);
        if (holders.isEmpty()) {
            return null;
        }
        return queue.circles().ancestors(request).containsAll(holders)
                ? Refusals.waitsOnItself(request)
                : Refusals.waitsInACircle(request, holders);
    }
}
