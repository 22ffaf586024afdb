package dev.weighlock.batch.testing;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what other threads and processes do; a test that waits too long fails. */
public final class Await {
    private static final Duration LONGEST = Duration.ofMinutes(5);
    private static final long PAUSE_NANOS = 2_000_000;

    private Await() {}

    /**
     * Returns as soon as the condition is seen to hold.
     *
     * @throws AssertionError after five minutes
     */
    public static void until(BooleanSupplier condition) {
        long begun = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - begun > LONGEST.toNanos()) {
                throw new AssertionError("what was waited for did not come within " + LONGEST.toSeconds() + " s");
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }
}
