package dev.weighlock.app.prove.cancellation;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Keeps bodies in a phase until the stop is requested, so that they are known to be in it, and not merely likely to be:
 * who came in stays until the stop, or until the release, which comes when the stop was seen from outside. Thread-safe.
 */
final class Gate {
    private final CountDownLatch entered = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);

    void enter() {
        entered.countDown();
    }

    /** Whether somebody came in within {@code limit}. */
    boolean awaitEntered(Duration limit) throws InterruptedException {
        return entered.await(limit.toMillis(), TimeUnit.MILLISECONDS);
    }

    void release() {
        released.countDown();
    }

    boolean awaitRelease(Duration limit) throws InterruptedException {
        return released.await(limit.toMillis(), TimeUnit.MILLISECONDS);
    }
}
