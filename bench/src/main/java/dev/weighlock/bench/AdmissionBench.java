package dev.weighlock.bench;

import dev.weighlock.query.AttemptId;
import dev.weighlock.query.MonotonicClock;
import dev.weighlock.query.admission.AdmissionConfig;
import dev.weighlock.query.admission.AdmissionDecision;
import dev.weighlock.query.admission.AdmissionOutcome;
import dev.weighlock.query.admission.AdmissionRequest;
import dev.weighlock.query.admission.AdmissionService;
import dev.weighlock.query.admission.AdmissionTicket;
import dev.weighlock.query.device.Grant;
import dev.weighlock.query.device.QueryCap;
import dev.weighlock.query.testing.TestDevices;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Q7: one release with its hand-off to the next waiter and one request that queues, with few and with many waiters of
 * different sizes behind.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class AdmissionBench {
    private static final long SHARE = 1L << 30;

    @Param({"100", "10000"})
    public int waiters;

    private Line line = new Line();

    public AdmissionBench() {}

    @Setup(Level.Iteration)
    public void fill() {
        line.close();
        line = new Line();
        for (int waiter = 0; waiter < waiters; waiter++) {
            line.enqueue();
        }
    }

    @TearDown(Level.Iteration)
    public void empty() {
        line.close();
    }

    @Benchmark
    public long handOver() {
        line.enqueue();
        return line.handOver();
    }

    /** One running request and those that wait behind it. */
    private static final class Line implements AutoCloseable {
        private final AdmissionService service = AdmissionService.start(
                AdmissionConfig.DEFAULT.withQueueLimit(20_000),
                List.of(TestDevices.ledger(0, SHARE, 64)),
                MonotonicClock.SYSTEM);
        private final Deque<AdmissionTicket> queue = new ArrayDeque<>();
        private long requests;
        private Grant running = ((AdmissionOutcome.Admitted) request()).grant();

        /** Always more than half of the share, so that one runs at a time. */
        private AdmissionDecision request() {
            return service.request(AdmissionRequest.of(AttemptId.mint(), QueryCap.of(SHARE - requests++ % 1_000)));
        }

        void enqueue() {
            queue.add((AdmissionTicket) request());
        }

        long handOver() {
            running.close();
            AdmissionOutcome next = queue.removeFirst().outcome().orElseThrow();
            running = ((AdmissionOutcome.Admitted) next).grant();
            return running.grantId();
        }

        @Override
        public void close() {
            service.close();
            running.close();
        }
    }
}
