package dev.weighlock.bench;

import dev.weighlock.query.AdmissionRequestId;
import dev.weighlock.query.AttemptId;
import dev.weighlock.query.MonotonicClock;
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

    private record Figures(long sequence, int active, long liveBytes) {}

    /** A lock, the figures under it, as the metrics store has them. */
    private static final class MetricsLike implements Consumer<Figures> {
        private final ReentrantLock lock = new ReentrantLock();
        private Figures latest = new Figures(0, 0, 0);

        @Override
        public void accept(Figures state) {
            lock.lock();
            try {
                latest = new Figures(state.sequence(), state.active(), Math.max(latest.liveBytes(), state.liveBytes()));
            } finally {
                lock.unlock();
            }
        }
    }

    /** Lock, map, snapshot object and observer call, and nothing else. */
    private static final class Baseline {
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
                observer.accept(new Figures(++sequence, grants.size(), liveBytes));
                return lastId;
            } finally {
                lock.unlock();
            }
        }

        void release(long id) {
            lock.lock();
            try {
                Long bytes = grants.remove(id);
                liveBytes -= bytes == null ? 0 : bytes;
                observer.accept(new Figures(++sequence, grants.size(), liveBytes));
            } finally {
                lock.unlock();
            }
        }
    }
}
