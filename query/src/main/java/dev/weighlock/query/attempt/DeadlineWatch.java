package dev.weighlock.query.attempt;

import dev.weighlock.query.Deadline;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Fires cancellations at their deadlines from one platform daemon thread. Any thread may add one; whoever made the watch
 * closes it.
 */
public final class DeadlineWatch implements AutoCloseable {
    /** A clock that lags behind the timer's is asked again no sooner than this. */
    private static final long MIN_DELAY_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final ScheduledThreadPoolExecutor timer;

    public DeadlineWatch() {
        timer = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().daemon().name("weighlock-deadlines").factory());
        timer.setRemoveOnCancelPolicy(true);
        timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /** Watches one cancellation until its deadline; nothing to do when it has none. */
    public Cancellation.Registration watch(Cancellation cancellation) {
        var deadline = cancellation.deadline();
        if (deadline.isEmpty() || timer.isShutdown()) {
            return () -> {};
        }
        var watched = new Watched(cancellation, deadline.get());
        watched.schedule();
        return watched;
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }

    /** One watched cancellation. {@code this} guards its fields. */
    private final class Watched implements Cancellation.Registration {
        private final Cancellation cancellation;
        private final Deadline deadline;
        private @Nullable ScheduledFuture<?> next;
        private boolean ended;

        private Watched(Cancellation cancellation, Deadline deadline) {
            this.cancellation = cancellation;
            this.deadline = deadline;
        }

        private synchronized void schedule() {
            if (!ended && !timer.isShutdown()) {
                var delay = Math.max(deadline.remainingNanos(), MIN_DELAY_NANOS);
                next = timer.schedule(this::look, delay, TimeUnit.NANOSECONDS);
            }
        }

        private void look() {
            if (!cancellation.fireIfExpired()) {
                schedule();
            }
        }

        @Override
        public synchronized void close() {
            ended = true;
            if (next != null) {
                next.cancel(false);
            }
        }
    }
}
