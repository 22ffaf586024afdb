package dev.weighlock.query.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.query.AdmissionRequestId;
import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.MonotonicClock;
import dev.weighlock.query.QueryException;
import dev.weighlock.query.device.DeviceLedger;
import dev.weighlock.query.device.Grant;
import dev.weighlock.query.device.GrantRequest;
import dev.weighlock.query.device.QueryCap;
import dev.weighlock.query.lifecycle.BackendLifecycle;
import dev.weighlock.query.metric.MetricsSnapshot;
import dev.weighlock.query.metric.MetricsStore;
import dev.weighlock.query.report.AdmissionFact;
import dev.weighlock.query.report.Disposition;
import dev.weighlock.query.report.Outcome;
import dev.weighlock.query.report.SealedProjection;
import dev.weighlock.query.testing.LeakCheck;
import dev.weighlock.query.testing.TestAttempts;
import dev.weighlock.query.testing.TestDevices;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Every attempt that began is counted once, whatever fails where; whoever reads meanwhile never sees more granted than
 * there is, nor another number of series.
 */
class AttemptMetricsTest {
    private static final int ATTEMPTS = 100_000;
    private static final int WORKERS = 2;
    private static final int READERS = 4;
    private static final long SEED = 20261203;
    private static final long SHARE = 1_000;
    private static final int SLOTS = 2;

    private final BackendLifecycle lifecycle = TestAttempts.lifecycle(MonotonicClock.SYSTEM);
    private final Attempts attempts = new Attempts(AttemptEnvironment.of(lifecycle, MonotonicClock.SYSTEM, "scripted"));
    private final DeviceLedger ledger = TestDevices.ledger(0, SHARE, SLOTS);
    private final MetricsStore metrics = new MetricsStore(1, List.of(0));
    private final AtomicLong lastRequest = new AtomicLong();
    private final AtomicBoolean over = new AtomicBoolean();

    @Test
    void begun_isTheSumOfOutcomes_underFaultsAtEveryBoundary() throws Exception {
        faults(Long.getLong("weighlock.seed", SEED));
    }

    @Tag("long")
    @Test
    void begun_isTheSumOfOutcomes_underFreshFaults() throws Exception {
        faults(System.nanoTime());
    }

    private void faults(long seed) throws Exception {
        ledger.observeTransitions(metrics);
        System.out.println("AttemptMetricsTest seed " + seed);
        try (var threads = Executors.newFixedThreadPool(WORKERS + READERS)) {
            var readers = new ArrayList<Future<Long>>();
            var workers = new ArrayList<Future<Long>>();
            for (var i = 0; i < READERS; i++) {
                readers.add(threads.submit(this::read));
            }
            for (var i = 0; i < WORKERS; i++) {
                var random = new Random(seed + i);
                workers.add(threads.submit(() -> work(random)));
            }
            await(workers);
            over.set(true);
            await(readers);
        }

        assertThat(completed(metrics.snapshot())).isEqualTo(ATTEMPTS);
        assertThat(attempts.counters()).isEqualTo(new AttemptCounters.Snapshot(ATTEMPTS, ATTEMPTS, 0, 0));
        var gauges = metrics.snapshot().device(0).orElseThrow();
        assertThat(gauges.activeAttempts()).isZero();
        assertThat(gauges.liveGrantBytes()).isZero();
        new LeakCheck()
                .watch(lifecycle.openHandles())
                .watch("grants", () -> ledger.report().grants())
                .close();
    }

    private static void await(List<Future<Long>> running) throws InterruptedException, ExecutionException {
        for (var each : running) {
            assertThat(each.get()).isPositive();
        }
    }

    /** Snapshots only grow, keep their series, and show neither more ends than begins nor more granted than there is. */
    private long read() {
        var reads = 0L;
        var lastCompleted = 0L;
        do {
            var snapshot = metrics.snapshot();
            var completed = completed(snapshot);
            assertThat(completed).isGreaterThanOrEqualTo(lastCompleted).isLessThanOrEqualTo(begun());
            assertSeries(snapshot);
            assertWithinCapacity(snapshot);
            lastCompleted = completed;
            reads++;
        } while (!over.get());
        return reads;
    }

    private static void assertSeries(MetricsSnapshot snapshot) {
        assertThat(snapshot.completed()).hasSize(20);
        assertThat(snapshot.durations()).hasSize(80);
        assertThat(snapshot.longDurations()).hasSize(80);
        assertThat(snapshot.slots()).hasSize(64).filteredOn(Objects::nonNull).hasSize(1);
    }

    private void assertWithinCapacity(MetricsSnapshot snapshot) {
        var gauges = snapshot.device(0).orElseThrow();
        assertThat(gauges.liveGrantBytes()).isBetween(0L, SHARE);
        assertThat(gauges.activeAttempts()).isBetween(0L, (long) SLOTS);
        var books = ledger.snapshot();
        assertThat(books.liveGrantBytes() + books.frozenResidentBytes()).isBetween(0L, SHARE);
        assertThat(books.active()).isBetween(0, SLOTS);
    }

    private long begun() {
        return attempts.counters().attemptsBegun();
    }

    private static long completed(MetricsSnapshot snapshot) {
        return snapshot.completed().values().stream().mapToLong(Long::longValue).sum();
    }

    private long work(Random random) {
        for (var i = 0; i < ATTEMPTS / WORKERS; i++) {
            attempt(random);
        }
        return ATTEMPTS / WORKERS;
    }

    private void attempt(Random random) {
        var begin = attempts.begin(BeginAttempt.standard());
        begin.owner().registerReportSink(report -> metrics.record(SealedProjection.of(report), report.durations()));
        begin.owner().registerReportSink(_ -> fault(random, "sink"));
        try (var owner = begin.owner()) {
            owner.run(() -> {
                throughTheBoundaries(owner, random);
                return true;
            });
        } catch (Exception injected) {
            assertThat(injected).hasMessageContaining("injected");
        }
    }

    private void throughTheBoundaries(AttemptOwner owner, Random random) {
        var handle = owner.handle();
        fault(random, "begin");
        handle.recordPlanningStarted();
        fault(random, "planning");
        handle.recordPlanningFinished();
        handle.recordDisposition(Disposition.NATIVE);
        fault(random, "disposition");
        var admission = owner.admissionBinding().claim();
        var grant = ledger.tryAdmit(new GrantRequest(
                new AdmissionRequestId(lastRequest.incrementAndGet()),
                owner.attemptId(),
                QueryCap.of(random.nextInt(10) == 0 ? 900 : 100)));
        if (grant.isEmpty()) {
            admission.refuse(overloaded()).run();
            throw overloaded();
        }
        admit(admission, grant.get());
        fault(random, "admission");
        handle.recordPhysicalExecutionStarted();
        fault(random, "execution");
        handle.recordDeviceExecutionStarted();
        fault(random, "device execution");
        handle.recordFetchStarted();
        fault(random, "fetch");
    }

    private static void admit(AttemptAdmission admission, Grant grant) {
        assertThat(admission.tryRecordAdmitted(new AdmissionFact(1, 0, 0, grant.bytes()), null))
                .isTrue();
        admission.bindGrantRelease(() -> {
            var publisher = admission.reportPublisher();
            var outcome = admission.terminalizeForRelease(Outcome.DROPPED);
            admission.finishAdmitted(AttemptFixture.RELEASED);
            publisher.seal(outcome).run();
            grant.close();
        });
    }

    private static QueryException overloaded() {
        return new QueryException(ErrorCode.SERVICE_OVERLOADED, "test", "injected shortage");
    }

    private static void fault(Random random, String boundary) {
        switch (random.nextInt(60)) {
            case 0 -> throw new QueryException(ErrorCode.ENGINE_ERROR, "test", "injected at " + boundary);
            case 1 -> throw new IllegalStateException("injected at " + boundary);
            case 2 -> throw new QueryException(ErrorCode.CANCELLED, "test", "injected at " + boundary);
            default -> {}
        }
    }
}
