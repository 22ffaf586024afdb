package dev.weighlock.query.lifecycle;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the public handles of one backend and runs an action once when the last one closes. After that no handle is
 * minted any more, also not while the action runs.
 *
 * <p>Any thread. Count and fired bit share one atomic word; the action runs on the thread that closes the last handle,
 * with no lock held.
 */
public final class HandleTracker {
    private static final long FIRED = 1L << 63;

    private final AtomicLong word = new AtomicLong();
    private final Runnable onLastClose;

    /** @param onLastClose what it throws reaches whoever closed the last handle */
    public HandleTracker(Runnable onLastClose) {
        this.onLastClose = onLastClose;
    }

    /** A new handle, empty once the last one has closed. */
    public Optional<Handle> tryAcquire() {
        long seen;
        do {
            seen = word.get();
            if (seen < 0) {
                return Optional.empty();
            }
            if (seen == Long.MAX_VALUE) {
                throw new IllegalStateException("the count of public handles overflows");
            }
        } while (!word.compareAndSet(seen, seen + 1));
        return Optional.of(new Handle());
    }

    public long activeHandles() {
        return word.get() & ~FIRED;
    }

    /** Whether the last handle has closed. */
    public boolean hasFired() {
        return word.get() < 0;
    }

    private void release() {
        if (word.updateAndGet(seen -> seen == 1 ? FIRED : seen - 1) == FIRED) {
            onLastClose.run();
        }
    }

    /** One counted handle. The holder closes it; only the first close counts. */
    public final class Handle implements AutoCloseable {
        private final AtomicBoolean closed = new AtomicBoolean();

        private Handle() {}

        /** A further handle from a live one. */
        public Handle copy() {
            if (closed.get()) {
                throw new IllegalStateException("a closed handle cannot be copied");
            }
            return tryAcquire().orElseThrow(() -> new IllegalStateException("the last handle has closed"));
        }

        @Override
        public void close() {
            if (closed.compareAndSet(false, true)) {
                release();
            }
        }
    }
}
