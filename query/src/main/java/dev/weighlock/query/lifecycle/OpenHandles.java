package dev.weighlock.query.lifecycle;

import dev.weighlock.query.MonotonicClock;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/**
 * Everything of one backend that somebody must close and has not yet: permits, grants, leases, receivers, with holder
 * and age. A test asserts that it is empty; a running backend names what has been open too long, each once.
 *
 * <p>Thread-safe without a lock.
 */
public final class OpenHandles {
    private final MonotonicClock clock;
    private final Set<Entry> entries = ConcurrentHashMap.newKeySet();

    public OpenHandles(MonotonicClock clock) {
        this.clock = clock;
    }

    /** Something open. */
    public record Handle(String kind, String holder, Duration age) {
        @Override
        public String toString() {
            return kind + " of " + holder + ", open for " + age;
        }
    }

    /**
     * Notes that a handle was given out.
     *
     * @param holder what names the holder in a message; its {@code toString} is called only when the handle is named
     */
    public Entry opened(String kind, Object holder) {
        var entry = new Entry(this, kind, holder, clock.nanos());
        entries.add(entry);
        return entry;
    }

    /** What is open now, the oldest first. */
    public List<Handle> open() {
        return entries.stream()
                .sorted(Comparator.comparingLong(entry -> entry.sinceNanos))
                .map(this::handle)
                .toList();
    }

    /** What has been open for at least {@code age} and was not returned by an earlier call, the oldest first. */
    public List<Handle> newlyOlderThan(Duration age) {
        var before = clock.nanos() - age.toNanos();
        return entries.stream()
                .filter(entry -> entry.sinceNanos <= before && entry.tryName())
                .sorted(Comparator.comparingLong(entry -> entry.sinceNanos))
                .map(this::handle)
                .toList();
    }

    private Handle handle(Entry entry) {
        return new Handle(
                entry.kind, entry.holder.toString(), Duration.ofNanos(Math.max(0, clock.nanos() - entry.sinceNanos)));
    }

    /** One open handle; closing it more than once does nothing. */
    public static final class Entry implements AutoCloseable {
        private static final AtomicIntegerFieldUpdater<Entry> NAMED =
                AtomicIntegerFieldUpdater.newUpdater(Entry.class, "named");

        private final OpenHandles owner;
        private final String kind;
        private final Object holder;
        private final long sinceNanos;
        private volatile int named;

        private Entry(OpenHandles owner, String kind, Object holder, long sinceNanos) {
            this.owner = owner;
            this.kind = kind;
            this.holder = holder;
            this.sinceNanos = sinceNanos;
        }

        private boolean tryName() {
            return NAMED.compareAndSet(this, 0, 1);
        }

        /** @return true for the first close */
        boolean tryClose() {
            return owner.entries.remove(this);
        }

        @Override
        public void close() {
            tryClose();
        }
    }
}
