package dev.weighlock.query.lifecycle;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weighlock.query.MonotonicClock;
import dev.weighlock.query.QueryException;
import java.util.concurrent.atomic.AtomicLong;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Test;

/** Every interleaving of a few calls gives what some order of whole calls would give. */
class LifecycleLincheckTest {
    @Test
    void gate_anyInterleaving_isLinearizable() {
        options().check(Gate.class);
    }

    @Test
    void handleTracker_anyInterleaving_isLinearizable() {
        options().check(Handles.class);
    }

    @Test
    void trackerWithTwoWords_isCaught() {
        assertThatThrownBy(() -> options().check(TornHandles.class)).isInstanceOf(AssertionError.class);
    }

    static ModelCheckingOptions options() {
        return new ModelCheckingOptions()
                .iterations(8)
                .invocationsPerIteration(200)
                .threads(2)
                .actorsPerThread(3)
                .actorsBefore(0)
                .actorsAfter(1)
                .minimizeFailedScenario(false);
    }

    /** The gate with one permit of each kind open. */
    public static class Gate {
        private final BackendLifecycle lifecycle = new BackendLifecycle(MonotonicClock.SYSTEM);

        public Gate() {
            lifecycle.acquire(PermitScope.OBSERVATION);
            lifecycle.acquire(PermitScope.DEVICE);
        }

        @Operation
        public boolean beginObservation() {
            return begins(PermitScope.OBSERVATION);
        }

        @Operation
        public boolean beginDevice() {
            return begins(PermitScope.DEVICE);
        }

        @Operation(runOnce = true)
        public void endObservation() {
            lifecycle.release(PermitScope.OBSERVATION);
        }

        @Operation(runOnce = true)
        public void endDevice() {
            lifecycle.release(PermitScope.DEVICE);
        }

        @Operation
        public boolean close() {
            return lifecycle.close();
        }

        @Operation
        public String snapshot() {
            return lifecycle.snapshot().toString();
        }

        private boolean begins(PermitScope scope) {
            try {
                lifecycle.acquire(scope);
                return true;
            } catch (QueryException closing) {
                return false;
            }
        }
    }

    /** The tracker with two handles open. */
    public static class Handles {
        private final HandleTracker tracker = new HandleTracker(() -> {});
        private final HandleTracker.Handle first = tracker.tryAcquire().orElseThrow();
        private final HandleTracker.Handle second = tracker.tryAcquire().orElseThrow();

        @Operation
        public boolean acquire() {
            return tracker.tryAcquire().isPresent();
        }

        @Operation(runOnce = true)
        public void closeFirst() {
            first.close();
        }

        @Operation(runOnce = true)
        public void closeSecond() {
            second.close();
        }

        @Operation
        public long active() {
            return tracker.activeHandles();
        }

        @Operation
        public boolean fired() {
            return tracker.hasFired();
        }
    }

    /** The planted fault: count and fired flag in two words, so a handle can be minted after the last close. */
    public static class TornHandles {
        private final AtomicLong count = new AtomicLong(1);
        private volatile boolean fired;

        @Operation
        public boolean acquire() {
            if (fired) {
                return false;
            }
            count.incrementAndGet();
            return true;
        }

        @Operation(runOnce = true)
        public void closeFirst() {
            if (count.decrementAndGet() == 0) {
                fired = true;
            }
        }

        @Operation
        public String state() {
            return count.get() + " " + fired;
        }
    }
}
