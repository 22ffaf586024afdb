package dev.weighlock.query.lifecycle;

import dev.weighlock.query.MonotonicClock;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Everything of one backend that somebody must close and has not yet: permits, grants, leases, receivers, with holder
 * and age. A test asserts that it is empty; a running backend names what has been open too long, each once.
 *
 * <p>Thread-safe without a lock.
 */
public final class OpenHandles {
    private final MonotonicClock clock;
    private final Set<Entry> entries = ConcurrentHashMap.newKeySet();
    private final List<Supplier<List<Held>>> books = new CopyOnWriteArrayList<>();
    private final Set<Object> namedInBooks = ConcurrentHashMap.newKeySet();

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
     * Something open that books of their own account for, such as the grants of a ledger.
     *
     * @param id tells it from everything else in all books, the same at every reading
     * @param sinceNanos on the clock of these handles
     * @param forgotten nobody can close it any more, so it is named at any age
     */
    public record Held(Object id, String kind, String holder, long sinceNanos, boolean forgotten) {}

    /** Adds what these books hold open; they are read whenever somebody asks, on that thread. */
    public void include(Supplier<List<Held>> others) {
        books.add(others);
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
        return oldestFirst(Stream.concat(entries.stream().map(Entry::held), held().stream()));
    }

    /**
     * What has been open for at least {@code age}, or is known to be forgotten, and was not returned by an earlier call,
     * the oldest first.
     */
    public List<Handle> newlyOlderThan(Duration age) {
        var before = clock.nanos() - age.toNanos();
        var own = entries.stream()
                .filter(entry -> entry.sinceNanos <= before && entry.tryName())
                .map(Entry::held);
        var others = held();
        namedInBooks.retainAll(others.stream().map(Held::id).collect(Collectors.toSet()));
        var old = others.stream()
                .filter(held -> (held.forgotten() || held.sinceNanos() <= before) && namedInBooks.add(held.id()));
        return oldestFirst(Stream.concat(own, old));
    }

    private List<Held> held() {
        return books.stream().flatMap(each -> each.get().stream()).toList();
    }

    private List<Handle> oldestFirst(Stream<Held> some) {
        return some.sorted(Comparator.comparingLong(Held::sinceNanos))
                .map(this::handle)
                .toList();
    }

    private Handle handle(Held held) {
        return new Handle(held.kind(), held.holder(), Duration.ofNanos(Math.max(0, clock.nanos() - held.sinceNanos())));
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

        private Held held() {
            return new Held(this, kind, holder.toString(), sinceNanos, false);
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
