package dev.weighlock.query.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.query.Deadline;
import dev.weighlock.query.MonotonicClock;
import dev.weighlock.query.testing.ManualClock;
import dev.weighlock.query.testing.TestAttempts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class BackendClosingTest {
    private final BackendLifecycle lifecycle = TestAttempts.lifecycle(MonotonicClock.SYSTEM);
    private final RecordingSteps steps = new RecordingSteps();
    private final BackendClosing closing = new BackendClosing(lifecycle, steps);

    @Test
    void close_ofAnIdleBackend_provesEverySliceInOrder() throws Exception {
        var report = closing.closeBy(within(30));

        assertThat(report.isComplete()).isTrue();
        assertThat(report.done()).containsExactly(ClosingSlice.values());
        assertThat(report.late()).isEmpty();
        assertThat(steps.calls).containsExactly("closeAdmission", "refuseQueued", "cancelRunning", "releaseGeneration");
        assertThat(closing.closeBy(within(30)).isComplete()).isTrue();
        assertThat(steps.calls).hasSize(4);
    }

    @Test
    void close_withAnOpenDevicePermit_keepsTheGenerationAndNamesTheHolder() throws Exception {
        var permit = lifecycle.beginDeviceResource("attempt 7");

        var stuck = closing.closeBy(Deadline.after(MonotonicClock.SYSTEM, Duration.ofMillis(50)));
        while (!stuck.stuckAt().equals(Optional.of(ClosingSlice.DEVICE_PERMITS_ZERO))) {
            stuck = closing.closeBy(Deadline.after(MonotonicClock.SYSTEM, Duration.ofMillis(50)));
        }
        assertThat(stuck.stuckAt()).contains(ClosingSlice.DEVICE_PERMITS_ZERO);
        assertThat(stuck.held()).extracting(OpenHandles.Handle::holder).containsExactly("attempt 7");
        assertThat(steps.calls).doesNotContain("releaseGeneration");

        permit.close();
        var complete = closing.closeBy(within(30));
        assertThat(complete.isComplete()).isTrue();
        assertThat(complete.late()).contains(ClosingSlice.DEVICE_PERMITS_ZERO);
        assertThat(complete.held()).isEmpty();
        assertThat(steps.calls).contains("releaseGeneration");
    }

    @Test
    void closerWithTimeLeft_whenTheWorkerEndsByAnothersDeadline_waitsOn() throws Exception {
        var permit = lifecycle.beginDeviceResource("attempt 8");
        var early = new WatchedClock(new ManualClock(20_000));
        var patient = new WatchedClock(new ManualClock(0));
        try (var closers = Executors.newFixedThreadPool(2)) {
            var first = closers.submit(() -> closing.closeBy(new Deadline(early, 21_000)));
            awaitTrue(() -> early.readByTheWorker);
            var second = closers.submit(() -> closing.closeBy(new Deadline(patient, 10_000)));
            awaitTrue(() -> patient.readByACloser);

            early.time.setNanos(21_000);
            assertThat(first.get().stuckAt()).contains(ClosingSlice.DEVICE_PERMITS_ZERO);
            awaitTrue(() -> second.isDone() || patient.readByTheWorker);
            permit.close();

            assertThat(second.get().isComplete()).isTrue();
        }
    }

    /** A clock of a test that tells who has read it. */
    private static final class WatchedClock implements MonotonicClock {
        private final ManualClock time;
        private volatile boolean readByTheWorker;
        private volatile boolean readByACloser;

        private WatchedClock(ManualClock time) {
            this.time = time;
        }

        @Override
        public long nanos() {
            if (Thread.currentThread().getName().equals("weighlock-backend-close")) {
                readByTheWorker = true;
            } else {
                readByACloser = true;
            }
            return time.nanos();
        }
    }

    private static void awaitTrue(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            Thread.onSpinWait();
        }
    }

    @Test
    void stepThatThrows_stopsTheClose_andARetryGoesOnThere() throws Exception {
        steps.failures = 1;
        var failed = closing.closeBy(within(30));
        assertThat(failed.stuckAt()).contains(ClosingSlice.GENERATION_RELEASED);
        assertThat(failed.failure()).get().isInstanceOf(IllegalStateException.class);

        var complete = closing.closeBy(within(30));
        assertThat(complete.isComplete()).isTrue();
        assertThat(complete.failure()).isEmpty();
        assertThat(complete.late()).containsExactly(ClosingSlice.GENERATION_RELEASED);
        assertThat(steps.calls)
                .containsExactly(
                        "closeAdmission", "refuseQueued", "cancelRunning", "releaseGeneration", "releaseGeneration");
    }

    @Test
    void openHandles_olderThanTheLimit_areNamedOnce() {
        var handles = lifecycle.openHandles();
        var permit = lifecycle.beginObservation("attempt 9");

        assertThat(handles.newlyOlderThan(Duration.ofDays(1))).isEmpty();
        assertThat(handles.newlyOlderThan(Duration.ZERO))
                .singleElement()
                .satisfies(handle -> assertThat(handle.toString()).startsWith("OBSERVATION permit of attempt 9"));
        assertThat(handles.newlyOlderThan(Duration.ZERO)).isEmpty();
        assertThat(handles.open()).hasSize(1);
        permit.close();
        assertThat(handles.open()).isEmpty();
    }

    private static Deadline within(int seconds) {
        return Deadline.after(MonotonicClock.SYSTEM, Duration.ofSeconds(seconds));
    }

    private static final class RecordingSteps implements ClosingSteps {
        private final List<String> calls = new ArrayList<>();
        private int failures;

        @Override
        public synchronized void closeAdmission() {
            calls.add("closeAdmission");
        }

        @Override
        public synchronized void refuseQueued() {
            calls.add("refuseQueued");
        }

        @Override
        public synchronized void cancelRunning() {
            calls.add("cancelRunning");
        }

        @Override
        public synchronized void releaseGeneration() {
            calls.add("releaseGeneration");
            if (failures-- > 0) {
                throw new IllegalStateException("the engine does not let go");
            }
        }
    }
}
