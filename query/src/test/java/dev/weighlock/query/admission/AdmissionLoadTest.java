package dev.weighlock.query.admission;

import static dev.weighlock.query.admission.AdmissionFixture.bytes;
import static dev.weighlock.query.admission.AdmissionFixture.error;
import static dev.weighlock.query.admission.AdmissionFixture.grant;
import static dev.weighlock.query.testing.TestDevices.ledger;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.query.Deadline;
import dev.weighlock.query.MonotonicClock;
import dev.weighlock.query.Reason;
import dev.weighlock.query.device.DeviceLedger;
import dev.weighlock.query.device.Grant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class AdmissionLoadTest {
    private static final long MIB = 1L << 20;
    private static final int THREADS = 200;
    private static final int ROUNDS = 100;
    private static final int WAITERS = 10_000;
    private static final int SOON = 100;
    private static final long SEED = 20261206;

    @Test
    void twoHundredThreads_neverRunMoreThanFit_andAllAreCounted() throws Exception {
        neverMoreThanFit(ROUNDS);
    }

    @Test
    @Tag("long")
    void twoHundredThreads_overAThousandRounds_neverRunMoreThanFit() throws Exception {
        neverMoreThanFit(10 * ROUNDS);
    }

    private static void neverMoreThanFit(int rounds) throws Exception {
        DeviceLedger ledger = ledger(0, 768 * MIB, 64);
        AtomicInteger running = new AtomicInteger();
        AtomicInteger mostRunning = new AtomicInteger();
        AtomicBoolean done = new AtomicBoolean();
        AtomicInteger mostInSnapshot = new AtomicInteger();
        try (AdmissionService service =
                        AdmissionService.start(AdmissionConfig.DEFAULT, List.of(ledger), MonotonicClock.SYSTEM);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> reader = threads.submit(() -> {
                while (!done.get()) {
                    mostInSnapshot.accumulateAndGet(
                            service.snapshot().devices().getFirst().snapshot().active(), Math::max);
                    LockSupport.parkNanos(1_000);
                }
            });
            List<Future<?>> workers = new ArrayList<>();
            for (int worker = 0; worker < THREADS; worker++) {
                workers.add(threads.submit(() -> {
                    for (int round = 0; round < rounds; round++) {
                        try (Grant grant = grant(service.admit(bytes(100 * MIB)))) {
                            mostRunning.accumulateAndGet(running.incrementAndGet(), Math::max);
                            Thread.onSpinWait();
                            running.decrementAndGet();
                            assertThat(grant.bytes()).isEqualTo(100 * MIB);
                        }
                    }
                    return null;
                }));
            }
            for (Future<?> worker : workers) {
                worker.get(240, TimeUnit.SECONDS);
            }
            done.set(true);
            reader.get(300, TimeUnit.SECONDS);
            assertThat(service.snapshot().admitted()).isEqualTo((long) THREADS * rounds);
        }

        assertThat(mostInSnapshot.get()).isLessThanOrEqualTo(7);
        assertThat(mostRunning.get()).isLessThanOrEqualTo(7);
        assertThat(ledger.snapshot().active()).isZero();
        assertThat(ledger.snapshot().sequence()).isEqualTo(2L * THREADS * rounds);
    }

    @Test
    void tenThousandWaiters_thatTimeOutOrCancel_leaveNothingBehind(TestReporter reporter) throws Exception {
        waiters(Long.getLong("weighlock.seed", SEED), reporter);
    }

    @Tag("long")
    @Test
    void tenThousandWaiters_withAFreshSeed_leaveNothingBehind(TestReporter reporter) throws Exception {
        waiters(System.nanoTime(), reporter);
    }

    private static void waiters(long seed, TestReporter reporter) throws Exception {
        DeviceLedger ledger = ledger(0, 800 * MIB, 64);
        reporter.publishEntry("seed", Long.toString(seed));
        Random random = new Random(seed);
        AtomicLong admitted = new AtomicLong();
        AtomicLong refused = new AtomicLong();
        AdmissionConfig config = AdmissionConfig.DEFAULT.withQueueLimit(WAITERS);
        try (AdmissionService service = AdmissionService.start(config, List.of(ledger), MonotonicClock.SYSTEM);
                ExecutorService holders = Executors.newVirtualThreadPerTaskExecutor()) {
            List<CompletableFuture<?>> outcomes = new ArrayList<>();
            for (int waiter = 0; waiter < WAITERS; waiter++) {
                long deadline = MonotonicClock.SYSTEM.nanos() + 1_000_000 + random.nextInt(2_000_000);
                AdmissionDecision decision = service.request(bytes(200 * MIB).withDeadline(deadline));
                switch (decision) {
                    case AdmissionOutcome outcome -> holdOrCount(outcome, holders, admitted, refused);
                    case AdmissionTicket ticket -> {
                        outcomes.add(ticket.stage()
                                .thenAccept(outcome -> holdOrCount(outcome, holders, admitted, refused))
                                .toCompletableFuture());
                        if (random.nextInt(4) == 0) {
                            holders.execute(ticket::cancel);
                        }
                    }
                }
            }
            for (CompletableFuture<?> outcome : outcomes) {
                outcome.get(120, TimeUnit.SECONDS);
            }
            holders.shutdown();
            assertThat(holders.awaitTermination(120, TimeUnit.SECONDS)).isTrue();
            assertThat(admitted.get() + refused.get()).isEqualTo(WAITERS);
            assertThat(admitted.get()).isPositive();
            assertThat(service.snapshot().waiters()).isEmpty();
            try (Grant all = grant(service.request(bytes(800 * MIB)))) {
                assertThat(all.bytes()).isEqualTo(800 * MIB);
            }
        }
        assertThat(ledger.report().grants()).isEmpty();
    }

    private static void holdOrCount(
            AdmissionOutcome outcome, ExecutorService holders, AtomicLong admitted, AtomicLong refused) {
        switch (outcome) {
            case AdmissionOutcome.Admitted grant -> {
                admitted.incrementAndGet();
                holders.execute(() -> {
                    LockSupport.parkNanos(2_000_000);
                    grant.grant().close();
                });
            }
            case AdmissionOutcome.Refused _ -> refused.incrementAndGet();
        }
    }

    @Test
    void service_withoutAnythingDue_neverWakesItsThread() {
        DeviceLedger ledger = ledger(0, 100, 4);
        try (AdmissionService service =
                AdmissionService.start(AdmissionConfig.DEFAULT, List.of(ledger), MonotonicClock.SYSTEM)) {
            Grant running = grant(service.request(bytes(90)));
            AdmissionTicket waiting = (AdmissionTicket) service.request(bytes(100));
            for (int round = 0; round < 1_000; round++) {
                AdmissionDecision small = service.request(bytes(5));
                switch (small) {
                    case AdmissionOutcome outcome -> grant(outcome).close();
                    case AdmissionTicket ticket -> ticket.cancel();
                }
            }

            assertThat(service.snapshot().timerWakeUps()).isLessThanOrEqualTo(3);
            running.close();
            grant(waiting).close();
        }
    }

    @Test
    void expiriesAndCancels_inAnyOrder_wakeTheThreadOnlyForWhatIsDue(TestReporter reporter) throws Exception {
        expiriesAndCancels(Long.getLong("weighlock.seed", SEED), reporter);
    }

    @Tag("long")
    @Test
    void expiriesAndCancels_inAFreshOrder_wakeTheThreadOnlyForWhatIsDue(TestReporter reporter) throws Exception {
        expiriesAndCancels(System.nanoTime(), reporter);
    }

    private static void expiriesAndCancels(long seed, TestReporter reporter) throws Exception {
        reporter.publishEntry("seed", Long.toString(seed));
        Random random = new Random(seed);
        DeviceLedger ledger = ledger(0, 100, 4);
        AdmissionConfig config = AdmissionConfig.DEFAULT.withQueueLimit(WAITERS + SOON);
        try (AdmissionService service = AdmissionService.start(config, List.of(ledger), MonotonicClock.SYSTEM)) {
            Grant running = grant(service.request(bytes(100)));
            List<AdmissionTicket> tickets = new ArrayList<>();
            for (int waiter = 0; waiter < WAITERS + SOON; waiter++) {
                long millis = waiter % (WAITERS / SOON) == 0 ? 1 + random.nextInt(20) : 3_600_000 + waiter;
                long deadline = MonotonicClock.SYSTEM.nanos() + millis * 1_000_000;
                AdmissionDecision decision = service.request(bytes(10).withDeadline(deadline));
                if (decision instanceof AdmissionTicket ticket) {
                    tickets.add(ticket);
                }
            }
            Collections.shuffle(tickets, random);
            int cancelled = 0;
            for (AdmissionTicket ticket : tickets) {
                cancelled += ticket.request().deadlineNanos() - MonotonicClock.SYSTEM.nanos() > 60_000_000_000L
                                && ticket.cancel()
                        ? 1
                        : 0;
            }
            for (AdmissionTicket ticket : tickets) {
                var _ = ticket.stage().toCompletableFuture().get(300, TimeUnit.SECONDS);
            }

            assertThat(cancelled).isEqualTo(WAITERS - 1);
            assertThat(service.snapshot().timerWakeUps())
                    .as("at most one for each expiry, one for each time that is sooner than all before")
                    .isPositive()
                    .isLessThanOrEqualTo(2 * (SOON + 2));
            running.close();
        }
    }

    @Test
    void callbacks_runOutsideTheMutex() {
        DeviceLedger ledger = ledger(0, 100, 4);
        AdmissionFixture admission = new AdmissionFixture(ledger);
        List<String> heard = new ArrayList<>();
        ledger.observeAdmission(
                transition -> hear(admission, heard, transition.kind().name()));
        Grant running = admission.admitted(100);
        AdmissionTicket timedOut = admission.waiting(bytes(10).withDeadline(5));
        AdmissionTicket cancelled = admission.waiting(10);
        AdmissionTicket granted = admission.waiting(10);
        timedOut.stage().thenAccept(_ -> hear(admission, heard, "timed out"));
        cancelled.stage().thenAccept(_ -> hear(admission, heard, "cancelled"));
        granted.stage().thenAccept(_ -> hear(admission, heard, "granted"));
        admission.service.beginCleaning(running, "slow", () -> hear(admission, heard, "overdue"));

        admission.clock.advance(Duration.ofMinutes(1));
        admission.service.expireDue();
        cancelled.cancel();
        running.close();
        grant(granted).close();

        assertThat(heard)
                .containsExactly("timed out", "overdue", "cancelled", "granted", "GRANT_RELEASED", "GRANT_RELEASED");
    }

    private static void hear(AdmissionFixture admission, List<String> heard, String what) {
        assertThat(admission.service.isMutexHeld()).as(what).isFalse();
        heard.add(what);
    }

    @Test
    void handOffs_thatRunTheirWorkAtOnce_doNotDeepenTheStack() {
        DeviceLedger ledger = ledger(0, 100, 1);
        AdmissionFixture admission = new AdmissionFixture(AdmissionConfig.DEFAULT.withQueueLimit(WAITERS + 1), ledger);
        Grant running = admission.admitted(100);
        AtomicInteger done = new AtomicInteger();
        for (int waiter = 0; waiter < WAITERS; waiter++) {
            admission.waiting(100).stage().thenAccept(outcome -> {
                done.incrementAndGet();
                grant(outcome).close();
            });
        }

        running.close();

        assertThat(done).hasValue(WAITERS);
        assertThat(ledger.snapshot().active()).isZero();
    }

    @Test
    void close_withSomeRunningSomeWaitingAndOneDeaf_namesTheDeafOneAtTheDeadline() throws Exception {
        DeviceLedger ledger = ledger(0, 100, 4);
        AdmissionService service =
                AdmissionService.start(AdmissionConfig.DEFAULT, List.of(ledger), MonotonicClock.SYSTEM);
        Grant obedient = grant(service.request(bytes(50)));
        Grant deaf = grant(service.request(bytes(50).withLabel("deaf")));
        AdmissionTicket waiting = (AdmissionTicket) service.request(bytes(10));
        waiting.stage().thenAccept(_ -> obedient.close());

        AdmissionClosure closure = service.close(Deadline.after(MonotonicClock.SYSTEM, Duration.ofMillis(100)));

        assertThat(error(waiting).facts().has(Reason.BACKEND_CLOSING)).isTrue();
        assertThat(closure.refusedWaiters()).isEqualTo(1);
        assertThat(closure.isComplete()).isFalse();
        assertThat(closure.stillHeld()).singleElement().satisfies(held -> {
            assertThat(held.label()).isEqualTo("deaf");
            assertThat(held.bytes()).isEqualTo(50);
        });
        deaf.close();
        assertThat(service.close(Deadline.after(MonotonicClock.SYSTEM, Duration.ofMinutes(1)))
                        .isComplete())
                .isTrue();
        assertThat(ledger.snapshot().active()).isZero();
    }

    @Test
    void closersAtOnce_agreeOnWhoWasRefusedAndWhatIsHeld() throws Exception {
        DeviceLedger ledger = ledger(0, 100, 4);
        AdmissionService service =
                AdmissionService.start(AdmissionConfig.DEFAULT, List.of(ledger), MonotonicClock.SYSTEM);
        Grant deaf = grant(service.request(bytes(100).withLabel("deaf")));
        for (int waiter = 0; waiter < 3; waiter++) {
            assertThat(service.request(bytes(10))).isInstanceOf(AdmissionTicket.class);
        }
        List<AdmissionClosure> closures = new ArrayList<>();
        try (ExecutorService closers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<AdmissionClosure>> futures = new ArrayList<>();
            for (int closer = 0; closer < 2; closer++) {
                futures.add(closers.submit(
                        () -> service.close(Deadline.after(MonotonicClock.SYSTEM, Duration.ofMillis(30)))));
            }
            for (Future<AdmissionClosure> future : futures) {
                closures.add(future.get(300, TimeUnit.SECONDS));
            }
        }

        assertThat(closures).allSatisfy(closure -> {
            assertThat(closure.refusedWaiters()).isEqualTo(3);
            assertThat(closure.stillHeld())
                    .extracting(AdmissionClosure.Held::label)
                    .containsExactly("deaf");
        });
        deaf.close();
        assertThat(service.close(Deadline.after(MonotonicClock.SYSTEM, Duration.ZERO)))
                .isEqualTo(new AdmissionClosure(3, List.of()));
    }
}
