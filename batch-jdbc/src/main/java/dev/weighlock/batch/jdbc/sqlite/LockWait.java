package dev.weighlock.batch.jdbc.sqlite;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/** One bounded wait for another process's lock, in random pauses that grow: of two that wait, both get their turn. */
final class LockWait {
    private static final long SHORTEST_PAUSE_NANOS = 500_000;
    private static final long LONGEST_PAUSE_NANOS = 20_000_000;

    private final long deadline;
    private long pauseNanos = SHORTEST_PAUSE_NANOS;

    LockWait(Duration most) {
        this.deadline = System.nanoTime() + most.toNanos();
    }

    long remainingNanos() {
        return Math.max(0, deadline - System.nanoTime());
    }

    boolean isOver() {
        return remainingNanos() == 0;
    }

    /** Returns early when interrupted; callers that must not be disturbed clear the interrupt before. */
    void pause() {
        LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(SHORTEST_PAUSE_NANOS / 2, pauseNanos));
        pauseNanos = Math.min(2 * pauseNanos, LONGEST_PAUSE_NANOS);
    }
}
