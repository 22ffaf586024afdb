package dev.weighlock.query.admission;

import dev.weighlock.query.AttemptId;
import dev.weighlock.query.QueryException;
import dev.weighlock.query.device.DeviceProfile;
import dev.weighlock.query.device.LedgerSnapshot;
import dev.weighlock.query.device.QueryCap;
import java.util.ArrayList;
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
        return waitsOnItself(request, cap, pool, capable) ? Refusals.waitsOnItself(request) : null;
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

    private boolean waitsOnItself(AdmissionRequest request, QueryCap cap, Pool pool, List<DeviceSlot> capable) {
        List<Running> ancestors = ancestors(request);
        if (ancestors.isEmpty()) {
            return false;
        }
        long samePool = ancestors.stream().filter(held -> held.pool() == pool).count();
        return samePool >= pool.config().maxRunning()
                || capable.stream().noneMatch(device -> fitsBeside(ancestors, device, cap));
    }

    private List<Running> ancestors(AdmissionRequest request) {
        List<Running> ancestors = new ArrayList<>();
        AttemptId parent = request.parentAttempt();
        while (parent != null) {
            Running held = queue.running(parent);
            if (held == null || ancestors.contains(held)) {
                return ancestors;
            }
            ancestors.add(held);
            parent = held.request().parentAttempt();
        }
        return ancestors;
    }

    private static boolean fitsBeside(List<Running> ancestors, DeviceSlot device, QueryCap cap) {
        DeviceProfile profile = device.ledger().profile();
        long heldBytes = 0;
        int held = 0;
        for (Running ancestor : ancestors) {
            if (ancestor.deviceOrdinal() == profile.deviceOrdinal()) {
                heldBytes += ancestor.bytes;
                held++;
            }
        }
        long bytes = cap instanceof QueryCap.Explicit explicit ? explicit.bytes() : profile.defaultQueryLimitBytes();
        return device.open() != null && held < profile.maxActive() && bytes <= profile.queryShareBytes() - heldBytes;
    }
}
