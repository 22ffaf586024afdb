package dev.weighlock.query.metric;

import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.FactKey;
import dev.weighlock.query.Facts;
import dev.weighlock.query.QueryException;
import dev.weighlock.query.Reason;
import dev.weighlock.query.device.DeviceProfile;
import dev.weighlock.query.device.LedgerTransition;
import dev.weighlock.query.device.TransitionObserver;
import dev.weighlock.query.report.AttemptDurations;
import dev.weighlock.query.report.AttemptReport;
import dev.weighlock.query.report.SealedProjection;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The metrics of one backend generation. Ledger transitions and sealed projections feed it and nothing else; it keeps no
 * id of a query. Any thread: its lock guards all counts, is the last one taken, and no callback runs under it.
 */
public final class MetricsStore implements TransitionObserver {
    private static final String OPERATION = "metrics";

    private final long backendGeneration;
    private final ReentrantLock lock = new ReentrantLock();
    private final @Nullable DeviceGauges[] devices = new DeviceGauges[DeviceProfile.DEVICE_SLOTS];
    private final AttemptCounts attempts = new AttemptCounts();
    private long generation;

    /**
     * A store for the devices with these ordinals, each once.
     *
     * @throws QueryException for generation 0, an ordinal without a slot, or one that comes twice
     */
    public MetricsStore(long backendGeneration, Collection<Integer> deviceOrdinals) {
        if (backendGeneration == 0) {
            throw new QueryException(
                    ErrorCode.INTERNAL,
                    OPERATION,
                    "a metrics store belongs to a backend generation, which is never 0",
                    Facts.of(Reason.ZERO_BACKEND_GENERATION));
        }
        this.backendGeneration = backendGeneration;
        deviceOrdinals.forEach(this::addDevice);
    }

    private void addDevice(int ordinal) {
        if (ordinal < 0 || ordinal >= devices.length) {
            throw invalid(
                    "a device ordinal has no slot",
                    Facts.of(Reason.BACKEND_METRICS_DEVICE_ORDINAL_OUT_OF_RANGE)
                            .with(FactKey.DEVICE_ORDINAL, ordinal)
                            .with(FactKey.DEVICE_CAPACITY, devices.length));
        }
        if (devices[ordinal] != null) {
            throw invalid(
                    "a device ordinal comes twice",
                    Facts.of(Reason.DUPLICATE_BACKEND_METRICS_DEVICE_ORDINAL).with(FactKey.DEVICE_ORDINAL, ordinal));
        }
        devices[ordinal] = new DeviceGauges(ordinal);
    }

    private static QueryException invalid(String message, Facts facts) {
        return new QueryException(ErrorCode.INVALID_CONFIGURATION, OPERATION, message, facts);
    }

    /** Takes over the gauges of a transition, inside the ledger's lock; an ordinal without metrics is ignored. */
    @Override
    public void observe(LedgerTransition transition) {
        int ordinal = transition.snapshot().deviceOrdinal();
        lock.lock();
        try {
            DeviceGauges gauges = devices[ordinal];
            if (gauges != null) {
                gauges.set(transition.snapshot());
                generation = HistogramCounts.saturatedSum(generation, 1);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Counts a finished attempt. The caller makes sure that each one comes once. */
    public void record(SealedProjection projection, AttemptDurations durations) {
        AttemptSeries series =
                new AttemptSeries(projection.disposition(), projection.outcome().kind());
        lock.lock();
        try {
            attempts.record(series, durations);
            generation = HistogramCounts.saturatedSum(generation, 1);
        } finally {
            lock.unlock();
        }
    }

    /** Counts a finished attempt by its report's projection; the rest of the report is not looked at. */
    public void record(AttemptReport report) {
        record(SealedProjection.of(report), report.durations());
    }

    /** Everything at one moment. */
    public MetricsSnapshot snapshot() {
        lock.lock();
        try {
            return new MetricsSnapshot(
                    backendGeneration,
                    generation,
                    slots(),
                    attempts.completed(),
                    attempts.durations(),
                    attempts.longDurations());
        } finally {
            lock.unlock();
        }
    }

    private List<@Nullable DeviceMetrics> slots() {
        List<@Nullable DeviceMetrics> slots = new ArrayList<>(devices.length);
        for (DeviceGauges gauges : devices) {
            slots.add(gauges == null ? null : gauges.snapshot());
        }
        return slots;
    }

    /** Whether nothing was counted since the snapshot. */
    public boolean isCurrent(MetricsSnapshot snapshot) {
        lock.lock();
        try {
            return snapshot.backendGeneration() == backendGeneration && snapshot.generation() == generation;
        } finally {
            lock.unlock();
        }
    }
}
