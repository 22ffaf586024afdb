package dev.weighlock.query.attempt;

import java.util.concurrent.atomic.AtomicLong;

/** The counts of one backend's attempts. Any thread; they only rise. */
public final class AttemptCounters {
    private final AtomicLong begun = new AtomicLong();
    private final AtomicLong reportsReady = new AtomicLong();
    private final AtomicLong pushed = new AtomicLong();
    private final AtomicLong overflowed = new AtomicLong();

    AttemptCounters() {}

    /**
     * One reading of the counts, each exact, not all at one instant.
     *
     * @param completionQueuePushed reports that nobody received and that the abandoned queue took
     * @param completionQueueOverflowed reports that nobody received and that did not fit
     */
    public record Snapshot(
            long attemptsBegun, long reportsReady, long completionQueuePushed, long completionQueueOverflowed) {}

    public Snapshot snapshot() {
        // Read in this order, no snapshot shows more reports than attempts.
        var ready = reportsReady.get();
        return new Snapshot(begun.get(), ready, pushed.get(), overflowed.get());
    }

    void attemptBegun() {
        begun.incrementAndGet();
    }

    void reportReady() {
        reportsReady.incrementAndGet();
    }

    void abandoned(boolean taken) {
        (taken ? pushed : overflowed).incrementAndGet();
    }
}
