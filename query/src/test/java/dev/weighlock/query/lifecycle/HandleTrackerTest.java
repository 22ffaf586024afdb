package dev.weighlock.query.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weighlock.query.MonotonicClock;
import dev.weighlock.query.testing.TestAttempts;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class HandleTrackerTest {
    @Test
    void lastClose_ofThreeHandles_runsTheActionOnce() {
        var calls = new AtomicInteger();
        var tracker = new HandleTracker(calls::incrementAndGet);
        var first = tracker.tryAcquire().orElseThrow();
        var second = first.copy();
        var third = second.copy();
        assertThat(tracker.activeHandles()).isEqualTo(3);

        first.close();
        first.close();
        second.close();
        assertThat(calls).hasValue(0);
        third.close();
        assertThat(calls).hasValue(1);
        assertThat(tracker.hasFired()).isTrue();
        assertThat(tracker.activeHandles()).isZero();
        assertThat(tracker.tryAcquire()).isEmpty();
        assertThatThrownBy(third::copy).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void closes_of32HandlesAtOnce_runTheActionOnceAndMintNoneDuringIt() throws Exception {
        var calls = new AtomicInteger();
        var started = new CountDownLatch(1);
        var mayEnd = new CountDownLatch(1);
        var tracker = new HandleTracker(() -> {
            calls.incrementAndGet();
            started.countDown();
            await(mayEnd);
        });
        var handles = new ArrayList<HandleTracker.Handle>();
        for (var i = 0; i < 32; i++) {
            handles.add(tracker.tryAcquire().orElseThrow());
        }
        var race = new Race(32);
        List<CompletableFuture<Boolean>> closers = new ArrayList<>();
        for (var handle : handles) {
            closers.add(race.run(() -> {
                handle.close();
                return true;
            }));
        }

        await(started);
        assertThat(calls).hasValue(1);
        assertThat(tracker.activeHandles()).isZero();
        assertThat(tracker.hasFired()).isTrue();
        assertThat(tracker.tryAcquire()).isEmpty();

        mayEnd.countDown();
        for (var closer : closers) {
            closer.get(30, TimeUnit.SECONDS);
        }
        assertThat(calls).hasValue(1);
    }

    @Test
    void explicitClose_racingTheLastHandle_electsOneWinner() throws Exception {
        for (var round = 0; round < 200; round++) {
            var lifecycle = TestAttempts.lifecycle(MonotonicClock.SYSTEM);
            var winners = new AtomicInteger();
            Runnable close = () -> winners.addAndGet(lifecycle.close() ? 1 : 0);
            var tracker = new HandleTracker(close);
            var last = tracker.tryAcquire().orElseThrow();
            var race = new Race(2);
            var explicit = race.run(() -> {
                close.run();
                return true;
            });
            var implicit = race.run(() -> {
                last.close();
                return true;
            });
            explicit.get(30, TimeUnit.SECONDS);
            implicit.get(30, TimeUnit.SECONDS);

            assertThat(winners).hasValue(1);
            assertThat(tracker.hasFired()).isTrue();
            assertThat(lifecycle.isClosing()).isTrue();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }
}
