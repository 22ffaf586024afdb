package dev.weighlock.bench;

import dev.weighlock.query.AdmissionRequestId;
import dev.weighlock.query.AttemptId;
import dev.weighlock.query.MonotonicClock;
import dev.weighlock.query.device.DeviceHealth;
import dev.weighlock.query.device.DeviceLedger;
import dev.weighlock.query.device.Grant;
import dev.weighlock.query.device.GrantRequest;
import dev.weighlock.query.device.QueryCap;
import dev.weighlock.query.metric.MetricsStore;
import dev.weighlock.query.testing.TestDevices;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Q1: admit and release on one ledger with the metrics observer on, beside the least any such ledger has to do. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class LedgerBench {
    private static final long CAP = 1 << 20;
    /** The admission service, too, reads the clock once for a whole round of decisions. */
    private static final long HELD_SINCE = 1;

    private final DeviceLedger ledger =
            new DeviceLedger(TestDevices.host(0, 1L << 30, 8).resolve(), MonotonicClock.SYSTEM);
    private final GrantRequest request =
            new GrantRequest(new AdmissionRequestId(1), AttemptId.mint(), QueryCap.of(CAP));
    private final Baseline baseline = new Baseline(new MetricsLike());

    public LedgerBench() {
        ledger.observeTransitions(new MetricsStore(1, List.of(0)));
    }

    @Benchmark
    public long admitAndRelease() {
        try (Grant grant = ledger.tryAdmit(request, HELD_SINCE).orElseThrow()) {
            return grant.grantId();
        }
    }

    /** Where the ledger has to read the clock itself. */
    @Benchmark
    public long admitByItsOwnClock() {
        try (Grant grant = ledger.tryAdmit(request).orElseThrow()) {
            return grant.grantId();
        }
    }

    @Benchmark
    public long baseline() {
        long id = baseline.admit(CAP);
        baseline.release(id);
        return id;
    }

    /** As many figures as a ledger's snapshot has: less would not tell an observer the whole state. */
    private record Figures(
            Object device,
            long sequence,
            int active,
            long liveBytes,
            long frozenBytes,
            long ownerBytes,
            long evictableBytes,
            long pinnedBytes,
            Object health) {}

    /** A lock and the latest figures under it; it keeps the object, or the compiler would do without one. */
    private static final class MetricsLike implements Consumer<Figures> {
        private final ReentrantLock lock = new ReentrantLock();
        private Figures latest = new Figures(this, 0, 0, 0, 0, 0, 0, 0, this);
        private long maxOwnerBytes;
        private final long[] updates = new long[1];

        @Override
        public void accept(Figures state) {
            lock.lock();
            try {
                maxOwnerBytes = Math.max(latest.ownerBytes(), maxOwnerBytes);
                latest = state;
                updates[0]++;
            } finally {
                lock.unlock();
            }
        }
    }

    /** Lock, map, snapshot object and observer call, and nothing else. */
    private static final class Baseline {
        private static final Object DEVICE = new Object();

        private final ReentrantLock lock = new ReentrantLock();
        private final Map<Long, Long> grants = new HashMap<>();
        private final Consumer<Figures> observer;
        private long sequence;
        private long lastId;
        private long liveBytes;

        Baseline(Consumer<Figures> observer) {
            this.observer = observer;
        }

        long admit(long bytes) {
            lock.lock();
            try {
                grants.put(++lastId, bytes);
                liveBytes += bytes;
                observer.accept(figures());
                return lastId;
            } finally {
                lock.unlock();
            }
        }

        private Figures figures() {
            return new Figures(DEVICE, ++sequence, grants.size(), liveBytes, 0, 0, 0, 0, DeviceHealth.Open.OPEN);
        }

        void release(long id) {
            lock.lock();
            try {
                Long bytes = grants.remove(id);
                liveBytes -= bytes == null ? 0 : bytes;
                observer.accept(figures());
            } finally {
                lock.unlock();
            }
        }
    }
}
