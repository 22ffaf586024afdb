package dev.weighlock.query.admission;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The queue at one moment: copied under the service's mutex, sorted and put into words after it. */
final class QueueView {
    private static final Comparator<Queued> ORDER = Comparator.comparingDouble(Queued::virtualTime)
            .thenComparingLong(queued -> queued.waiter().id().value());

    private final long nowNanos;
    private final boolean closed;
    private final long admitted;
    private final long timerWakeUps;
    private final WaitReasons reasons;
    private final List<AdmissionSnapshot.PoolRow> pools;
    private final List<Queued> waiters = new ArrayList<>();

    /** A waiter with what may change about it. */
    private record Queued(Waiter waiter, double virtualTime, int passes) {}

    QueueView(AdmissionQueue queue, WaitReasons reasons, long nowNanos, boolean closed, long timerWakeUps) {
        this.nowNanos = nowNanos;
        this.closed = closed;
        this.admitted = queue.admitted();
        this.timerWakeUps = timerWakeUps;
        this.reasons = reasons;
        this.pools = queue.pools().stream()
                .map(pool -> new AdmissionSnapshot.PoolRow(
                        pool.config().name(), pool.config().weight(), pool.running(), pool.queued()))
                .toList();
        queue.forEachWaiter(waiter -> {
            if (waiter.isWaiting()) {
                waiters.add(new Queued(waiter, waiter.pool().virtualTime(), waiter.passes));
            }
        });
    }

    AdmissionSnapshot snapshot() {
        waiters.sort(ORDER);
        return new AdmissionSnapshot(
                nowNanos,
                closed,
                admitted,
                reasons.reports(),
                pools,
                waiters.stream().map(this::row).toList(),
                timerWakeUps);
    }

    private AdmissionSnapshot.WaiterRow row(Queued queued) {
        Waiter waiter = queued.waiter();
        return new AdmissionSnapshot.WaiterRow(
                waiter.id(),
                waiter.request().attempt(),
                waiter.request().label(),
                waiter.request().pool(),
                waiter.cap(),
                nowNanos - waiter.requestedNanos(),
                queued.passes(),
                reasons.of(waiter));
    }
}
