package dev.weighlock.bench;

import dev.weighlock.query.AttemptId;
import dev.weighlock.query.MonotonicClock;
import dev.weighlock.query.admission.AdmissionConfig;
import dev.weighlock.query.admission.AdmissionOutcome;
import dev.weighlock.query.admission.AdmissionRequest;
import dev.weighlock.query.admission.AdmissionService;
import dev.weighlock.query.admission.PoolConfig;
import dev.weighlock.query.device.QueryCap;
import dev.weighlock.query.testing.TestDevices;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Q8: two pools with weights 1 and 3 that both always have work; prints what each used, in byte-seconds. */
public final class PoolShares {
    private static final long MIB = 1L << 20;
    private static final int WORKERS = 16;
    private static final long RUN_NANOS = 10_000_000_000L;

    private PoolShares() {}

    public static void main(String[] args) throws InterruptedException {
        AdmissionConfig pools = AdmissionConfig.DEFAULT.withPools(
                PoolConfig.named("one"), PoolConfig.named("three").withWeight(3));
        AtomicLong one = new AtomicLong();
        AtomicLong three = new AtomicLong();
        AtomicBoolean done = new AtomicBoolean();
        try (AdmissionService service =
                AdmissionService.start(pools, List.of(TestDevices.ledger(0, 400 * MIB, 4)), MonotonicClock.SYSTEM)) {
            List<Thread> threads = new ArrayList<>();
            for (int worker = 0; worker < WORKERS; worker++) {
                threads.add(Thread.startVirtualThread(() -> work(service, "one", one, done)));
                threads.add(Thread.startVirtualThread(() -> work(service, "three", three, done)));
            }
            LockSupport.parkNanos(RUN_NANOS);
            done.set(true);
            for (Thread thread : threads) {
                thread.join();
            }
        }
        double share = three.get() / (double) (one.get() + three.get());
        System.out.printf(
                "pool one %,d   pool three %,d   share of three %.4f (wanted 0.7500)%n", one.get(), three.get(), share);
        System.out.printf(
                "{\"id\":\"Q8\",\"one\":%d,\"three\":%d,\"share\":%.4f,\"processors\":%d}%n",
                one.get(), three.get(), share, Runtime.getRuntime().availableProcessors());
    }

    private static void work(AdmissionService service, String pool, AtomicLong usedNanos, AtomicBoolean done) {
        while (!done.get()) {
            AdmissionRequest request = AdmissionRequest.of(AttemptId.mint(), QueryCap.of(100 * MIB))
                    .withPool(pool);
            try {
                if (service.admit(request) instanceof AdmissionOutcome.Admitted admitted) {
                    LockSupport.parkNanos(1_000_000);
                    admitted.grant().close();
                    // The bytes were taken when the service decided, whenever this thread got to run.
                    usedNanos.addAndGet(
                            MonotonicClock.SYSTEM.nanos() - admitted.facts().admittedNanos());
                }
            } catch (InterruptedException interrupt) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }
}
