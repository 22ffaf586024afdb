package dev.weighlock.query.attempt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weighlock.query.Deadline;
import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.Facts;
import dev.weighlock.query.MonotonicClock;
import dev.weighlock.query.QueryException;
import dev.weighlock.query.Reason;
import dev.weighlock.query.device.DeviceLedger;
import dev.weighlock.query.device.Grant;
import dev.weighlock.query.lifecycle.BackendLifecycle;
import dev.weighlock.query.lifecycle.LifecycleSnapshot;
import dev.weighlock.query.metric.MetricsStore;
import dev.weighlock.query.report.AdmissionFact;
import dev.weighlock.query.report.CancelReason;
import dev.weighlock.query.report.Disposition;
import dev.weighlock.query.report.Outcome;
import dev.weighlock.query.report.OutcomeKind;
import dev.weighlock.query.testing.LeakCheck;
import dev.weighlock.query.testing.ManualClock;
import dev.weighlock.query.testing.TestDevices;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Success, cancel, deadline, shutdown, owner close and backend close at the same moment: one sealed report for each attempt. */
class AttemptRaceTest {
    private static final int BATCH = 500;
    private static final long DEADLINE = 1;

    private final ManualClock clock = new ManualClock();
    private final DeviceLedger ledger = TestDevices.ledger(0, BATCH, BATCH);
    private final MetricsStore metrics = new MetricsStore(1, List.of(0));
    private final AbandonedReports queue = new AbandonedReports(1);
    private final Map<OutcomeKind, Integer> outcomes = new EnumMap<>(OutcomeKind.class);

    @Test
    void everyEnd_atOnce_leavesOneReportForEachAttempt() throws Exception {
        race(100_000);
    }

    @Test
    @Tag("long")
    void everyEnd_atOnceAMillionTimes_leavesOneReportForEachAttempt() throws Exception {
        race(1_000_000);
    }

    private void race(int races) throws Exception {
        ledger.observeTransitions(metrics);
        List<Consumer<Racer>> ends =
                List.of(this::succeed, this::cancel, this::expire, this::shutDown, racer -> racer.owner.close());
        var begun = 0L;
        try (var threads = Executors.newFixedThreadPool(ends.size() + 1)) {
            for (var done = 0; done < races; done += BATCH) {
                begun += batch(ends, threads);
            }
        }
        assertThat(begun).isEqualTo(races);
        assertThat(outcomes.values().stream().mapToInt(Integer::intValue).sum()).isEqualTo(races);
        assertThat(outcomes).hasSizeGreaterThanOrEqualTo(3);
        assertMetricsAtRest(races);
        new LeakCheck().watch(ledger).close();
    }

    private void assertMetricsAtRest(int races) {
        var snapshot = metrics.snapshot();
        var gauges = snapshot.device(0).orElseThrow();
        assertThat(gauges.activeAttempts()).isZero();
        assertThat(gauges.liveGrantBytes()).isZero();
        assertThat(gauges.residentOwnerBytes()).isZero();
        assertThat(gauges.ledgerSequence())
                .as("one admission and one release for every second attempt")
                .isEqualTo(races)
                .isEqualTo(ledger.snapshot().sequence());
        assertThat(snapshot.completed().values().stream()
                        .mapToLong(Long::longValue)
                        .sum())
                .isEqualTo(races);
    }

    /** One backend's attempts from their begin to its close. @return how many began */
    private long batch(List<Consumer<Racer>> ends, ExecutorService threads) throws Exception {
        var lifecycle = new BackendLifecycle(clock);
        var attempts =
                new Attempts(AttemptEnvironment.of(lifecycle, clock, "scripted").withAbandoned(queue));
        List<Racer> racers = new ArrayList<>();
        for (var i = 0; i < BATCH; i++) {
            racers.add(new Racer(attempts, i % 2 == 0));
        }
        List<Callable<Boolean>> racing = new ArrayList<>();
        var start = new CyclicBarrier(ends.size() + 1);
        for (var end : ends) {
            // Each end is the first at some of the attempts.
            Collections.rotate(racers, BATCH / ends.size());
            List<Racer> own = List.copyOf(racers);
            racing.add(() -> {
                start.await();
                own.forEach(end);
                return true;
            });
        }
        racing.add(() -> {
            start.await();
            return close(lifecycle, attempts);
        });
        for (var each : threads.invokeAll(racing)) {
            assertThat(each.get()).isTrue();
        }
        racers.forEach(racer -> outcomes.merge(racer.check().kind(), 1, Integer::sum));
        return atRest(lifecycle, attempts);
    }

    /** The backend closes while its attempts end, and waits for the last of them. */
    private static boolean close(BackendLifecycle lifecycle, Attempts attempts) throws InterruptedException {
        var closed = lifecycle.close();
        attempts.cancelAll(CancelReason.SHUTDOWN);
        lifecycle.awaitObservationQuiescence(Deadline.after(MonotonicClock.SYSTEM, Duration.ofMinutes(1)));
        return closed;
    }

    private static long atRest(BackendLifecycle lifecycle, Attempts attempts) {
        assertThat(attempts.live()).isEmpty();
        assertThat(lifecycle.snapshot()).isEqualTo(new LifecycleSnapshot(true, 0, 0));
        assertThat(lifecycle.openHandles().open()).isEmpty();
        assertThatThrownBy(() -> attempts.begin(BeginAttempt.standard()))
                .isInstanceOfSatisfying(
                        QueryException.class,
                        refusal -> assertThat(refusal.facts().has(Reason.BACKEND_CLOSING))
                                .isTrue());
        assertThat(attempts.counters().reportsReady())
                .isEqualTo(attempts.counters().attemptsBegun());
        return attempts.counters().attemptsBegun();
    }

    private void succeed(Racer racer) {
        tryCommit(() -> racer.owner.commitTerminal(Outcome.SUCCEEDED));
    }

    private void cancel(Racer racer) {
        racer.owner.cancellation().cancel();
        racer.owner
                .cancellation()
                .error("race")
                .ifPresent(error -> tryCommit(() -> racer.owner.commitQueryError(error)));
    }

    private void expire(Racer racer) {
        racer.ownClock.setNanos(DEADLINE);
        var expired = racer.owner.cancellation().error("race").orElseThrow();
        tryCommit(() -> racer.owner.commitQueryError(expired));
    }

    private void shutDown(Racer racer) {
        racer.owner.cancellation().cancel(CancelReason.SHUTDOWN);
        tryCommit(() -> racer.owner
                .admissionRejection()
                .reject(new QueryException(ErrorCode.CANCELLED, "race", "closing", Facts.of(Reason.BACKEND_CLOSING))));
    }

    private static void tryCommit(Runnable commit) {
        try {
            commit.run();
        } catch (AttemptLifecycleException lost) {
            assertThat(lost.violation()).isEqualTo(AttemptLifecycleException.Violation.DOUBLE_TERMINALIZATION);
        }
    }

    /** One attempt with one receiver; an admitted one is released by its hook, on whatever thread that comes. */
    private final class Racer {
        private final ManualClock ownClock = new ManualClock();
        private final AttemptOwner owner;
        private final AttemptCompletion completion;
        private final AtomicInteger shown = new AtomicInteger();
        private final AtomicInteger delivered = new AtomicInteger();

        private Racer(Attempts attempts, boolean admitted) {
            var begin = attempts.begin(BeginAttempt.standard().withDeadline(new Deadline(ownClock, DEADLINE)));
            owner = begin.owner();
            completion = owner.completion();
            owner.registerReportSink(metrics::record);
            owner.registerReportSink(_ -> shown.incrementAndGet());
            owner.admissionBinding().registerSealObserver(_ -> delivered.incrementAndGet());
            if (admitted) {
                owner.handle().recordDisposition(Disposition.NATIVE);
                var admission = owner.admissionBinding().claim();
                var grant = ledger.tryAdmit(TestDevices.request(1)).orElseThrow();
                assertThat(admission.tryRecordAdmitted(new AdmissionFact(1, 0, 0, 1), null))
                        .isTrue();
                assertThat(admission.bindGrantRelease(() -> release(admission, grant)))
                        .isEqualTo(AttemptAdmission.Binding.BOUND);
            }
        }

        private static void release(AttemptAdmission admission, Grant grant) {
            var publisher = admission.reportPublisher();
            publisher.beginCleanup();
            var outcome = admission.terminalizeForRelease(Outcome.DROPPED);
            admission.finishAdmitted(AttemptFixture.RELEASED);
            publisher.seal(outcome).run();
            grant.close();
        }

        private Outcome check() {
            var report = completion.poll().orElseThrow();
            assertThat(shown).hasValue(1);
            assertThat(delivered).hasValue(1);
            completion.close();
            return report.outcome();
        }
    }
}
