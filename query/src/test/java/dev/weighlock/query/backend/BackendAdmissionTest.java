package dev.weighlock.query.backend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.weighlock.query.ErrorCode;
import dev.weighlock.query.Reason;
import dev.weighlock.query.admission.AdmissionConfig;
import dev.weighlock.query.admission.AdmissionSnapshot;
import dev.weighlock.query.admission.WaitReason;
import dev.weighlock.query.device.GrantState;
import dev.weighlock.query.lifecycle.OpenHandleWatch;
import dev.weighlock.query.report.AttemptPhase;
import dev.weighlock.query.report.CancelReason;
import dev.weighlock.query.report.CapacityDisposition;
import dev.weighlock.query.report.CleanupDisposition;
import dev.weighlock.query.report.HealthTransition;
import dev.weighlock.query.report.OutcomeKind;
import dev.weighlock.query.testing.ScriptedEngine;
import dev.weighlock.query.testing.TestDevices;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What whoever submits a query sees of its admission. */
@Timeout(300)
class BackendAdmissionTest {
    private static final long MIB = 1L << 20;

    private final ScriptedEngine engine = new ScriptedEngine();
    private final BackendSettings settings = BackendSettings.of(
            TestDevices.host(0, 256 * MIB, 4).defaultQueryLimit(64 * MIB).resolve());

    @Test
    void queuedQuery_saysWhyItWaitsAndWhoHoldsTheRoom_andIsCancelledAtOnce() throws Exception {
        try (var backend = TestBackends.open(settings, engine)) {
            var running = backend.submit(script("WAIT").cap(200 * MIB).label("nightly"));
            TestBackends.await(() -> running.state() instanceof QueryState.Running);
            var queued = backend.submit(script("ROWS 1").cap(100 * MIB));
            TestBackends.await(() -> queued.state() instanceof QueryState.Waiting waiting
                    && waiting.reason().contains("nightly"));

            assertThat(queued.state()).isInstanceOfSatisfying(QueryState.Waiting.class, waiting -> {
                assertThat(waiting.reason())
                        .startsWith("needs " + 100 * MIB + " bytes, " + 56 * MIB + " are free on device 0")
                        .contains("admitted when " + 44 * MIB + " more are given back");
                assertThat(waiting.since()).isPositive();
            });
            assertThat(backend.admission().waiters()).singleElement().satisfies(row -> {
                assertThat(row.attempt()).isEqualTo(queued.attemptId());
                assertThat(row.reason().kind()).isEqualTo(WaitReason.Kind.BYTES);
            });
            queued.cancel(CancelReason.CLIENT_LOST);

            var summary = queued.await();
            assertThat(summary.outcome()).isEqualTo(OutcomeKind.CANCELLED);
            assertThat(summary.report().cancelReason()).isEqualTo(CancelReason.CLIENT_LOST);
            assertThat(summary.report().phaseAtEnd()).isEqualTo(AttemptPhase.QUEUE);
            assertThat(summary.grantBytes()).isNull();
            assertThat(queued.state()).isEqualTo(new QueryState.Done(summary));
            engine.proceed();
            assertThat(running.rows().toList()).isEmpty();
            assertThat(running.await().grantBytes()).isEqualTo(200 * MIB);
        }
        assertThat(engine.openSessions()).isZero();
    }

    @Test
    void freedRoom_isHandedToTheQueuedQuery() throws Exception {
        try (var backend = TestBackends.open(settings, engine)) {
            var running = backend.submit(script("WAIT").cap(256 * MIB));
            TestBackends.await(() -> running.state() instanceof QueryState.Running);
            var queued = backend.submit(script("ROWS 2").cap(256 * MIB));
            TestBackends.await(() -> queued.state() instanceof QueryState.Waiting);

            running.cancel(CancelReason.CALLER);

            assertThat(queued.rows().toList()).hasSize(2);
            var summary = queued.await();
            assertThat(summary.queueWait()).isPositive();
            assertThat(running.await().report().capacity().disposition()).isEqualTo(CapacityDisposition.RELEASED);
        }
    }

    /** With a longer deadline, until the machine is fast enough to reach the queue before it. */
    @Test
    void deadline_whileQueued_endsTheQueryThere() throws Exception {
        try (var backend = TestBackends.open(settings, engine)) {
            var running = backend.submit(script("WAIT").cap(256 * MIB));
            TestBackends.await(() -> running.state() instanceof QueryState.Running);

            var phase = AttemptPhase.PLANNING;
            for (var deadline = Duration.ofMillis(30);
                    phase == AttemptPhase.PLANNING;
                    deadline = deadline.multipliedBy(2)) {
                var summary =
                        backend.submit(script("ROWS 1").deadline(deadline)).await();
                assertThat(summary.outcome()).isEqualTo(OutcomeKind.CANCELLED);
                assertThat(summary.report().cancelReason()).isNull();
                phase = summary.report().phaseAtEnd();
            }

            assertThat(phase).isEqualTo(AttemptPhase.QUEUE);
            running.cancel(CancelReason.CALLER);
        }
    }

    @Test
    void queryInsideAnother_thatNeedsItsRoom_isRefusedAtOnce() throws Exception {
        try (var backend = TestBackends.open(settings, engine)) {
            var parent = backend.submit(script("WAIT").cap(200 * MIB));
            TestBackends.await(() -> parent.state() instanceof QueryState.Running);

            var refused = backend.submit(script("ROWS 1").cap(100 * MIB).parent(parent.attemptId()))
                    .await();
            var child = backend.submit(script("ROWS 1").cap(56 * MIB).parent(parent.attemptId()));

            assertThat(refused.error()).isNotNull().satisfies(error -> {
                assertThat(error.code()).isEqualTo(ErrorCode.QUERY_BUDGET_UNAVAILABLE);
                assertThat(error.facts().has(Reason.WOULD_WAIT_ON_ITSELF)).isTrue();
            });
            assertThat(child.rows().toList()).hasSize(1);
            parent.cancel(CancelReason.CALLER);
        }
    }

    @Test
    void engineThatDoesNotLetGo_isQuarantinedAfterTheLimit_whileTheDeviceGoesOn() throws Exception {
        var hasty = settings.withAdmission(AdmissionConfig.DEFAULT.withCleaningLimit(Duration.ofMillis(20)));
        try (var backend = TestBackends.open(hasty, engine)) {
            var deaf = backend.submit(script("DEAF").cap(200 * MIB).label("deaf"));
            TestBackends.await(() -> engine.running() == 1);
            var queued = backend.submit(script("ROWS 1").cap(100 * MIB));
            TestBackends.await(() -> queued.state() instanceof QueryState.Waiting);

            deaf.cancel(CancelReason.CALLER);
            var report = deaf.await().report();

            assertThat(report.capacity().disposition()).isEqualTo(CapacityDisposition.RETAINED_QUARANTINE);
            assertThat(report.capacity().healthTransition()).isEqualTo(HealthTransition.HEALTHY_REUSE);
            assertThat(report.cleanup().disposition()).isEqualTo(CleanupDisposition.COMPLETED_WITH_FAILURES);
            assertThat(backend.device().snapshot().health().isOpen()).isTrue();
            assertThat(backend.device().grants()).singleElement().satisfies(row -> {
                assertThat(row.state()).isEqualTo(GrantState.CLEANING);
                assertThat(row.grantBytes()).isEqualTo(200 * MIB);
                assertThat(row.cleaning())
                        .hasValueSatisfying(why -> assertThat(why.reason()).isEqualTo("the engine is letting go"));
            });
            assertThat(backend.admission().waiters())
                    .extracting(AdmissionSnapshot.WaiterRow::reason)
                    .singleElement()
                    .satisfies(reason -> assertThat(reason.text())
                            .contains("deaf: grant 1", "(the engine is letting go), its instance is quarantined"));
            var small = backend.submit(script("ROWS 1").cap(50 * MIB));
            assertThat(small.rows().toList()).hasSize(1);

            engine.proceed();

            assertThat(queued.rows().toList()).hasSize(1);
            assertThat(queued.await().succeeded()).isTrue();
        }
        assertThat(engine.openSessions()).isZero();
    }

    @Test
    void negativeCap_isRefusedBeforeAnythingBegins() {
        var request = script("ROWS 1");

        assertThatIllegalArgumentException().isThrownBy(() -> request.cap(-1)).withMessageContaining("-1 bytes");
    }

    @Test
    void queryWhoseThreadCannotStart_failsAndGivesEverythingBack() throws Exception {
        var threads = new ThreadsThatRunOut(1);
        try (var backend = TestBackends.open(settings, engine, OpenHandleWatch::log, threads)) {
            var unstarted = backend.submit(script("ROWS 1").cap(256 * MIB)).await();

            assertThat(unstarted.outcome()).isEqualTo(OutcomeKind.FAILED);
            assertThat(unstarted.error()).isNotNull().satisfies(error -> {
                assertThat(error.code()).isEqualTo(ErrorCode.INTERNAL);
                assertThat(error).hasCauseInstanceOf(OutOfMemoryError.class);
            });
            assertThat(unstarted.report().capacity().disposition()).isEqualTo(CapacityDisposition.RELEASED);
            var next = backend.submit(script("ROWS 2").cap(256 * MIB));
            assertThat(next.rows().toList()).hasSize(2);
            next.await();
            assertThat(backend.counters().attemptsBegun())
                    .isEqualTo(2)
                    .isEqualTo(backend.counters().reportsReady());
            assertThat(backend.close(Duration.ofSeconds(30)).isComplete()).isTrue();
            assertThat(backend.openHandles()).isEmpty();
        }
    }

    /** The first so many threads do not start. */
    private record ThreadsThatRunOut(AtomicInteger left) implements ThreadFactory {
        private ThreadsThatRunOut(int count) {
            this(new AtomicInteger(count));
        }

        @Override
        public Thread newThread(Runnable work) {
            if (left.getAndDecrement() > 0) {
                throw new OutOfMemoryError("unable to create native thread (planted)");
            }
            return Thread.ofPlatform().daemon().unstarted(work);
        }
    }

    private static QueryRequest script(String sql) {
        return QueryRequest.select(sql, Map.of());
    }
}
