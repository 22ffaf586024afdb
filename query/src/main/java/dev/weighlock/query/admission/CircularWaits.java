package dev.weighlock.query.admission;

import dev.weighlock.query.AttemptId;
import dev.weighlock.query.device.DeviceProfile;
import dev.weighlock.query.device.QueryCap;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds requests that wait for each other's parents. A running attempt with a queued descendant gives nothing back before
 * that one was admitted and is over; every other grant ends by itself. So the queued descendants are taken one by one
 * where they would fit beside what their kind of parents hold; each frees what waited for it alone; those that are left
 * would wait for ever. Not thread-safe: the service's mutex guards the queue it reads.
 */
final class CircularWaits {
    private final AdmissionQueue queue;

    CircularWaits(AdmissionQueue queue) {
        this.queue = queue;
    }

    /** A request below running attempts. */
    private record Descendant(AdmissionRequest request, QueryCap cap, Pool pool, List<Running> ancestors) {}

    /** The grants that would keep the request out for ever, in the order of their admission; empty when it may queue. */
    List<Running> holdersInTheWayOf(AdmissionRequest request, QueryCap cap, Pool pool) {
        Descendant candidate = new Descendant(request, cap, pool, ancestors(request));
        if (candidate.ancestors().isEmpty()) {
            return List.of();
        }
        List<Descendant> all = queued();
        all.addFirst(candidate);
        Reduction reduction = new Reduction(all);
        reduction.run();
        return reduction.left.contains(candidate) ? reduction.holders() : List.of();
    }

    /** A waiter of a circle that came about although nobody asked for anything, because a device closed. */
    Optional<Waiter> latestStuck() {
        if (queue.descendants().isEmpty()) {
            return Optional.empty();
        }
        Reduction reduction = new Reduction(queued());
        reduction.run();
        return queue.descendants().stream()
                .filter(waiter -> reduction.left.stream()
                        .anyMatch(left ->
                                left.request().attempt().equals(waiter.request().attempt())))
                .reduce((_, later) -> later);
    }

    private List<Descendant> queued() {
        List<Descendant> queued = new ArrayList<>();
        for (Waiter waiter : queue.descendants()) {
            List<Running> ancestors = ancestors(waiter.request());
            if (waiter.isWaiting() && !ancestors.isEmpty()) {
                queued.add(new Descendant(waiter.request(), waiter.cap(), waiter.pool(), ancestors));
            }
        }
        return queued;
    }

    /** The running attempts inside which this one runs; those that are being cleaned up wait for nobody any more. */
    List<Running> ancestors(AdmissionRequest request) {
        List<Running> ancestors = new ArrayList<>();
        AttemptId parent = request.parentAttempt();
        while (parent != null) {
            Running held = queue.running(parent);
            if (held == null || ancestors.contains(held)) {
                return ancestors;
            }
            if (!held.isCleaning()) {
                ancestors.add(held);
            }
            parent = held.request().parentAttempt();
        }
        return ancestors;
    }

    /** What the grants of attempts with queued descendants hold, fewer and fewer of them. */
    private final class Reduction {
        final List<Descendant> left;
        private final Map<Running, Integer> waitingFor = new HashMap<>();

        Reduction(List<Descendant> descendants) {
            left = new ArrayList<>(descendants);
            for (Descendant descendant : descendants) {
                descendant.ancestors().forEach(held -> waitingFor.merge(held, 1, Integer::sum));
            }
        }

        void run() {
            boolean progress;
            do {
                progress = left.removeIf(this::isOverInTime);
            } while (progress);
        }

        List<Running> holders() {
            return waitingFor.keySet().stream()
                    .sorted(Comparator.comparingLong(Running::order))
                    .toList();
        }

        private boolean isOverInTime(Descendant descendant) {
            if (!fits(descendant)) {
                return false;
            }
            for (Running held : descendant.ancestors()) {
                waitingFor.computeIfPresent(held, (_, count) -> count == 1 ? null : count - 1);
            }
            return true;
        }

        private boolean fits(Descendant descendant) {
            Collection<Running> holders = waitingFor.keySet();
            long samePool = holders.stream()
                    .filter(held -> held.pool() == descendant.pool())
                    .count();
            return samePool < descendant.pool().config().maxRunning()
                    && queue.devices().stream().anyMatch(device -> fitsOn(device, descendant));
        }

        private boolean fitsOn(DeviceSlot device, Descendant descendant) {
            if (device.open() == null || !device.hasCapabilitiesOf(descendant.request())) {
                return false;
            }
            DeviceProfile profile = device.ledger().profile();
            long heldBytes = 0;
            int held = 0;
            for (Running holder : waitingFor.keySet()) {
                if (holder.deviceOrdinal() == profile.deviceOrdinal()) {
                    heldBytes += holder.bytes;
                    held++;
                }
            }
            long bytes = descendant.cap() instanceof QueryCap.Explicit(long explicit)
                    ? explicit
                    : profile.defaultQueryLimitBytes();
            return held < profile.maxActive() && bytes <= profile.queryShareBytes() - heldBytes;
        }
    }
}
