package dev.weighlock.query.admission;

import dev.weighlock.query.AdmissionRequestId;
import dev.weighlock.query.AttemptId;
import dev.weighlock.query.device.LedgerReport;
import dev.weighlock.query.device.QueryCap;
import java.util.List;

/**
 * The admission service at one moment: no decision is half made in it, so no grant shows that its receiver may lose.
 *
 * @param devices one report per device that can be read, by ordinal
 * @param waiters in the order in which they would be asked
 * @param timerWakeUps how often the timer thread has woken
 */
public record AdmissionSnapshot(
        long nowNanos,
        boolean closed,
        long admitted,
        List<LedgerReport> devices,
        List<PoolRow> pools,
        List<WaiterRow> waiters,
        long timerWakeUps) {
    public AdmissionSnapshot {
        devices = List.copyOf(devices);
        pools = List.copyOf(pools);
        waiters = List.copyOf(waiters);
    }

    /** One pool. */
    public record PoolRow(String name, int weight, int running, int queued) {}

    /** One request that waits. */
    public record WaiterRow(
            AdmissionRequestId id,
            AttemptId attempt,
            String label,
            String pool,
            QueryCap cap,
            long waitedNanos,
            int passes,
            WaitReason reason) {}
}
