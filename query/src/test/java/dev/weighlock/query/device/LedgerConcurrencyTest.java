package dev.weighlock.query.device;

import static dev.weighlock.query.testing.TestDevices.host;
import static dev.weighlock.query.testing.TestDevices.ledger;
import static dev.weighlock.query.testing.TestDevices.request;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LedgerConcurrencyTest {
    private static final int ADMITS = 100_000;
    private static final int READERS = 4;
    private static final int WRITERS = 4;

    @Test
    void snapshots_takenAgainstAdmissions_neverShowMoreThanTheShare() throws Exception {
        DeviceLedger ledger = ledger(host(0, 1_000, 6).cacheCap(100));
        AtomicBoolean done = new AtomicBoolean();
        AtomicLong overcommitted = new AtomicLong();
        AtomicLong admitted = new AtomicLong();
        ledger.observeTransitions(transition -> {
            if (isOvercommitted(transition.snapshot())) {
                overcommitted.incrementAndGet();
            }
        });
        try (ExecutorService pool = Executors.newFixedThreadPool(READERS + WRITERS)) {
            List<Future<?>> readers = new ArrayList<>();
            for (int reader = 0; reader < READERS; reader++) {
                readers.add(pool.submit(() -> {
                    long sequence = 0;
                    while (!done.get()) {
                        LedgerSnapshot snapshot = ledger.snapshot();
                        if (isOvercommitted(snapshot) || snapshot.sequence() < sequence) {
                            overcommitted.incrementAndGet();
                        }
                        sequence = snapshot.sequence();
                    }
                }));
            }
            List<Future<?>> writers = new ArrayList<>();
            for (int writer = 0; writer < WRITERS; writer++) {
                int bytes = 100 + 90 * writer;
                writers.add(pool.submit(() -> admitAndRelease(ledger, bytes, admitted)));
            }
            for (Future<?> writer : writers) {
                writer.get(120, TimeUnit.SECONDS);
            }
            done.set(true);
            for (Future<?> reader : readers) {
                reader.get(300, TimeUnit.SECONDS);
            }
        }

        assertThat(overcommitted).hasValue(0);
        assertThat(admitted.get()).isPositive();
        LedgerSnapshot end = ledger.snapshot();
        assertThat(end.active()).isZero();
        assertThat(end.liveGrantBytes()).isZero();
        assertThat(end.sequence()).isEqualTo(2 * admitted.get());
    }

    private static void admitAndRelease(DeviceLedger ledger, int bytes, AtomicLong admitted) {
        for (int attempt = 0; attempt < ADMITS / WRITERS; attempt++) {
            Optional<Grant> first = ledger.tryAdmit(request(bytes));
            Optional<Grant> second = ledger.tryAdmit(request(bytes));
            first.ifPresent(Grant::close);
            second.ifPresent(Grant::close);
            admitted.addAndGet(first.stream().count() + second.stream().count());
        }
    }

    private static boolean isOvercommitted(LedgerSnapshot snapshot) {
        return snapshot.frozenResidentBytes() + snapshot.liveGrantBytes() > snapshot.queryShareBytes()
                || snapshot.active() > snapshot.maxActive()
                || snapshot.availableBytes() < 0;
    }

    @Test
    void residentsAndHandles_closedByManyThreads_returnTheGrantOnce() throws Exception {
        DeviceLedger ledger = ledger(0, 100, 2);
        AtomicLong releases = new AtomicLong();
        ledger.observeAdmission(_ -> releases.incrementAndGet());
        try (ExecutorService pool = Executors.newFixedThreadPool(8)) {
            for (int round = 0; round < 200; round++) {
                Grant grant = ledger.tryAdmit(request(100)).orElseThrow();
                List<Future<?>> closers = new ArrayList<>();
                for (int owner = 0; owner < 4; owner++) {
                    ResidentLease lease = grant.retainResident(10).orElseThrow();
                    closers.add(pool.submit(lease::close));
                    closers.add(pool.submit(lease::close));
                }
                closers.add(pool.submit(grant::close));
                closers.add(pool.submit(grant::close));
                for (Future<?> closer : closers) {
                    closer.get(300, TimeUnit.SECONDS);
                }
                assertThat(releases).hasValue(round + 1);
                assertThat(ledger.snapshot().active()).isZero();
                assertThat(ledger.snapshot().residentOwnerBytes()).isZero();
            }
        }
    }
}
