package dev.weighlock.query.backend;

import dev.weighlock.query.AttemptId;
import dev.weighlock.query.Deadline;
import dev.weighlock.query.MonotonicClock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The results that one backend keeps for paging, within their limits. One platform daemon thread ends those whose time is
 * over.
 *
 * <p>Thread-safe; {@code this} guards {@code kept} and {@code closed}, is taken before a result's monitor, and is never
 * held while a result ends.
 */
final class KeptResults implements AutoCloseable {
    private final KeptResultLimits limits;
    private final MonotonicClock clock;
    private final ScheduledThreadPoolExecutor timer;
    /** The oldest first. */
    private final Map<AttemptId, Kept> kept = new LinkedHashMap<>();

    private boolean closed;

    private record Kept(PagedResult result, Future<?> expiry) {}

    KeptResults(KeptResultLimits limits, MonotonicClock clock) {
        this.limits = limits;
        this.clock = clock;
        this.timer = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().daemon().name("weighlock-kept-results").factory());
        timer.setRemoveOnCancelPolicy(true);
    }

    KeptResultLimits limits() {
        return limits;
    }

    /** When a result whose last row is there by now ends. */
    Deadline deadline() {
        return Deadline.after(clock, limits.time());
    }

    /** Keeps one more, whose place others may have to give up. After the close the result ends at once. */
    void keep(PagedResult result) {
        var ended = new ArrayList<PagedResult>();
        boolean refused;
        synchronized (this) {
            refused = closed;
            if (!refused) {
                while (kept.size() >= limits.count()) {
                    ended.add(remove(longestUnread()));
                }
                var expiry = timer.schedule(this::expireDue, result.timeLeft().toNanos(), TimeUnit.NANOSECONDS);
                kept.put(result.attemptId(), new Kept(result, expiry));
            }
        }
        if (refused) {
            result.end(PagedResult.Ending.BACKEND_CLOSED);
        }
        ended.forEach(each -> each.end(PagedResult.Ending.CROWDED_OUT));
    }

    private PagedResult longestUnread() {
        return kept.values().stream()
                .map(Kept::result)
                .min(Comparator.comparing(PagedResult::isRead).thenComparingLong(PagedResult::lastOpenedNanos))
                .orElseThrow();
    }

    private PagedResult remove(PagedResult result) {
        var entry = Objects.requireNonNull(kept.remove(result.attemptId()));
        entry.expiry.cancel(false);
        return entry.result;
    }

    /** The result has ended by itself. */
    synchronized void forget(PagedResult result) {
        var entry = kept.get(result.attemptId());
        if (entry != null) {
            remove(entry.result);
        }
    }

    /** Ends all whose time is over. The timer calls it; with a manual clock the test does. */
    void expireDue() {
        results().stream().filter(PagedResult::isExpired).forEach(due -> due.end(PagedResult.Ending.EXPIRED));
    }

    /** The oldest first. */
    synchronized List<PagedResult> results() {
        return kept.values().stream().map(Kept::result).toList();
    }

    synchronized Optional<PagedResult> find(AttemptId attempt) {
        return Optional.ofNullable(kept.get(attempt)).map(Kept::result);
    }

    /** Ends all, and those that come later at once. May be repeated. */
    @Override
    public void close() {
        List<PagedResult> all;
        synchronized (this) {
            closed = true;
            all = results();
        }
        timer.shutdownNow();
        all.forEach(each -> each.end(PagedResult.Ending.BACKEND_CLOSED));
    }
}
