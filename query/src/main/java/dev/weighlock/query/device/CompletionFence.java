package dev.weighlock.query.device;

import java.time.Duration;

/** Proof that some queued work has ended. */
public interface CompletionFence {
    /**
     * Waits until the work ended, on an unhealthy device too.
     *
     * @throws RuntimeException when that cannot be proved within the limit
     */
    void awaitForTeardown(String operation, Duration limit);
}
