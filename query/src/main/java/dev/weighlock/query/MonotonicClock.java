package dev.weighlock.query;

/**
 * Time for deadlines and durations: nanoseconds that never run backwards and start near zero, so plain comparison
 * works. Any thread.
 */
@FunctionalInterface
public interface MonotonicClock {
    /** The clock of this process. */
    MonotonicClock SYSTEM = systemClock();

    long nanos();

    private static MonotonicClock systemClock() {
        long origin = System.nanoTime();
        return () -> System.nanoTime() - origin;
    }
}
