package dev.weighlock.batch.stop;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Tells running work that it should stop. Level-triggered: once requested it stays so, and a question asked later gets
 * the same answer.
 *
 * <p>Thread-safe.
 */
public interface StopToken {
    /** A token that never fires. */
    static StopToken never() {
        return StopSource.NEVER.token();
    }

    /** An action to run at a stop, until closed. */
    interface Registration extends AutoCloseable {
        /** Forgets the action; one already running is not waited for. Idempotent. */
        @Override
        void close();
    }

    boolean isStopRequested();

    /**
     * Waits for a stop, at most so long.
     *
     * @return whether a stop is requested
     */
    boolean await(Duration atMost) throws InterruptedException;

    /**
     * Runs {@code action} once when a stop is requested, at once when it already is. It runs on a thread of its own, so
     * that a blocking one (a JDBC cancel) delays nobody.
     */
    Registration onStop(Runnable action);

    /**
     * Waits for {@code future} or a stop, whichever comes first.
     *
     * @return the future's value; empty when the stop came first
     */
    default <T> Optional<T> race(CompletableFuture<T> future) throws InterruptedException {
        return StopRace.run(this, future);
    }
}
