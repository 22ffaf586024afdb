package dev.weighlock.query.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.query.Deadline;
import dev.weighlock.query.MonotonicClock;
import dev.weighlock.query.Reason;
import dev.weighlock.query.report.CancelReason;
import dev.weighlock.query.testing.ManualClock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class CancellationTest {
    private final ManualClock clock = new ManualClock();

    @Test
    void request_isNamedBeforeTheExpiry() {
        var cancellation = new Cancellation(new Deadline(clock, 10));
        assertThat(cancellation.error("test")).isEmpty();
        clock.setNanos(10);
        assertThat(cancellation.error("test").orElseThrow().facts().has(Reason.DEADLINE_EXPIRED))
                .isTrue();
        cancellation.cancel(CancelReason.SHUTDOWN);
        cancellation.cancel(CancelReason.CALLER);
        assertThat(cancellation.error("test").orElseThrow().facts().has(Reason.BACKEND_CLOSING))
                .isTrue();
        assertThat(cancellation.requestedBy()).contains(CancelReason.SHUTDOWN);
    }

    @Test
    void listeners_runOnce_andALateOneAtOnce() {
        var cancellation = new Cancellation(new Deadline(clock, 10));
        var calls = new AtomicInteger();
        cancellation.onCancel(() -> {
            throw new IllegalStateException("a broken listener");
        });
        cancellation.onCancel(calls::incrementAndGet);
        cancellation.onCancel(calls::incrementAndGet).close();

        assertThat(cancellation.fireIfExpired()).isFalse();
        clock.setNanos(10);
        assertThat(cancellation.fireIfExpired()).isTrue();
        cancellation.cancel();
        assertThat(calls).hasValue(1);
        cancellation.onCancel(calls::incrementAndGet);
        assertThat(calls).hasValue(2);
    }

    @Test
    void deadlineWatch_firesAtTheDeadline() throws Exception {
        try (var watch = new DeadlineWatch()) {
            var fired = new CompletableFuture<Boolean>();
            var cancellation = new Cancellation(Deadline.after(MonotonicClock.SYSTEM, Duration.ofMillis(5)));
            cancellation.onCancel(() -> fired.complete(true));
            var watched = watch.watch(cancellation);
            assertThat(fired.get(30, TimeUnit.SECONDS)).isTrue();
            assertThat(cancellation.requestedBy()).isEmpty();
            watched.close();
        }
    }

    @Test
    void deadlineWatch_onAClockThatLags_asksAgain() throws Exception {
        try (var watch = new DeadlineWatch()) {
            var fired = new CompletableFuture<Boolean>();
            var cancellation = new Cancellation(new Deadline(clock, 1_000));
            cancellation.onCancel(() -> fired.complete(true));
            watch.watch(cancellation);
            clock.setNanos(1_000);
            assertThat(fired.get(30, TimeUnit.SECONDS)).isTrue();
        }
    }
}
