package dev.weighlock.query.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weighlock.query.Deadline;
import dev.weighlock.query.MonotonicClock;
import dev.weighlock.query.QueryException;
import dev.weighlock.query.Reason;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * The last release comes exactly between a waiter's look at the count and its going to sleep. The second test plants the
 * fault that this order would reveal, to show that the first one could fail.
 */
class LostWakeUpTest {
    @Test
    void release_betweenLookAndSleep_wakesTheWaiter() throws Exception {
        assertThat(wakesUp(lifecycle -> lifecycle.release(PermitScope.DEVICE), TimeUnit.MINUTES.toNanos(1)))
                .isTrue();
    }

    @Test
    void releaseWithoutTheLock_betweenLookAndSleep_isLost() throws Exception {
        assertThat(wakesUp(LostWakeUpTest::releaseWithoutLock, TimeUnit.MILLISECONDS.toNanos(50)))
                .isFalse();
    }

    private static void releaseWithoutLock(BackendLifecycle lifecycle) {
        lifecycle.word.addAndGet(-PermitScope.DEVICE.one);
        if (lifecycle.waitLock.tryLock()) {
            lifecycle.reachedZero.signalAll();
            lifecycle.waitLock.unlock();
        }
    }

    /** The waiter reads its clock between the look and the sleep: that is where the release is let loose. */
    private static boolean wakesUp(Consumer<BackendLifecycle> release, long waitNanos) throws Exception {
        var lifecycle = new BackendLifecycle(MonotonicClock.SYSTEM);
        lifecycle.acquire(PermitScope.DEVICE);
        var looked = new AtomicBoolean();
        var releaser = Thread.ofPlatform().daemon().unstarted(() -> release.accept(lifecycle));
        MonotonicClock clock = () -> {
            if (looked.compareAndSet(false, true)) {
                releaser.start();
                while (releaser.isAlive() && !lifecycle.waitLock.hasQueuedThread(releaser)) {
                    Thread.onSpinWait();
                }
            }
            return MonotonicClock.SYSTEM.nanos();
        };
        try {
            lifecycle.awaitDeviceQuiescence(new Deadline(clock, MonotonicClock.SYSTEM.nanos() + waitNanos));
            return true;
        } catch (QueryException timeout) {
            assertThat(timeout.facts().has(Reason.DEVICE_TIMEOUT)).isTrue();
            return false;
        } finally {
            releaser.join();
        }
    }
}
