package dev.weighlock.query.backend;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Looks at this process's memory from outside its engine while a query runs. What is seen belongs to that query only while
 * it runs alone in the process, so a query that shared its time with another has no sample.
 *
 * <p>Thread-safe; {@code this} guards what is open and each watch's figures; memory is read under no lock.
 */
final class OutsideSamples implements AutoCloseable {
    private static final long EVERY_MILLIS = 20;

    private final Supplier<OptionalLong> memory;
    private final ScheduledThreadPoolExecutor timer;
    private final List<Watch> open = new ArrayList<>();

    /** @param memory reads how much there is now; empty where nobody can tell */
    OutsideSamples(Supplier<OptionalLong> memory) {
        this.memory = memory;
        this.timer = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().daemon().name("weighlock-memory-samples").factory());
        timer.setRemoveOnCancelPolicy(true);
    }

    /** One query in its session. Its thread begins and ends it. */
    final class Watch {
        private boolean shared;
        private boolean looked;
        private OptionalLong before = OptionalLong.empty();
        private long most;
        private @Nullable Future<?> looking;

        private void look() {
            var now = memory.get();
            synchronized (OutsideSamples.this) {
                if (now.isPresent()) {
                    looked = true;
                    most = Math.max(most, now.getAsLong());
                }
            }
        }

        /** How much the process grew at most; empty where it was not looked at while this query ran alone. */
        OptionalLong end() {
            synchronized (OutsideSamples.this) {
                open.remove(this);
                if (looking != null) {
                    looking.cancel(false);
                }
                return shared || !looked || before.isEmpty()
                        ? OptionalLong.empty()
                        : OptionalLong.of(Math.max(0, most - before.getAsLong()));
            }
        }
    }

    /** @param sampled whether to look at all; a query that is not looked at is company for others all the same */
    Watch begin(boolean sampled) {
        var watch = new Watch();
        synchronized (this) {
            watch.shared = !open.isEmpty();
            open.forEach(other -> other.shared = true);
            open.add(watch);
            if (!sampled || watch.shared) {
                return watch;
            }
        }
        var before = memory.get();
        synchronized (this) {
            watch.before = before;
            if (before.isPresent() && !timer.isShutdown()) {
                watch.looking =
                        timer.scheduleWithFixedDelay(watch::look, EVERY_MILLIS, EVERY_MILLIS, TimeUnit.MILLISECONDS);
            }
        }
        return watch;
    }

    @Override
    public synchronized void close() {
        timer.shutdownNow();
    }
}
