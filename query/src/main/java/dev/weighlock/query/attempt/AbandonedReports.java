package dev.weighlock.query.attempt;

import dev.weighlock.query.report.AttemptReport;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The bounded queue of reports that were published while nobody held a receiver.
 *
 * <p>Any thread. A push waits for the lock, never for space, so it holds up no cleanup.
 */
public final class AbandonedReports {
    private final int capacity;
    private final ReentrantLock lock = new ReentrantLock();
    private final Queue<AttemptReport> reports = new ArrayDeque<>();

    /** @param capacity at least 1 */
    public AbandonedReports(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("a queue of abandoned reports holds at least one, not " + capacity);
        }
        this.capacity = capacity;
    }

    /** @return false when the queue is full; the earlier reports stay */
    boolean tryPush(AttemptReport report) {
        lock.lock();
        try {
            return reports.size() < capacity && reports.add(report);
        } finally {
            lock.unlock();
        }
    }

    /** Takes up to {@code max} reports, the oldest first. */
    public List<AttemptReport> drain(int max) {
        lock.lock();
        try {
            List<AttemptReport> taken = new ArrayList<>(Math.min(max, reports.size()));
            for (var report = reports.peek(); report != null && taken.size() < max; report = reports.peek()) {
                taken.add(reports.remove());
            }
            return taken;
        } finally {
            lock.unlock();
        }
    }

    /** For tests: what pushers and drainers contend for. */
    ReentrantLock lock() {
        return lock;
    }
}
