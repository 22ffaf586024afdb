package dev.weighlock.query.attempt;

import dev.weighlock.query.report.AttemptReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How one report becomes visible: first to every sink, then, in one lock hold, to every receiver, with the decision
 * whether anybody is there to receive it.
 *
 * <p>{@code lock} is the attempt lock; it guards every field below it and the attempt's lifecycle. Sinks run on the
 * publishing thread with it free.
 */
class Publication {
    private static final Logger LOG = LoggerFactory.getLogger(Publication.class);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition becameVisible = lock.newCondition();
    private @Nullable AttemptReport report;
    private boolean visible;
    private @Nullable Thread publisher;
    private List<Consumer<AttemptReport>> sinks = List.of();
    private List<CompletableFuture<AttemptReport>> stages = List.of();
    private int receivers;

    /**
     * What a call of {@link #publish} found or did.
     *
     * @param mine whether this call published; the rest says something only then
     * @param abandoned whether there was no receiver when the report became visible
     * @param stages to complete when the publisher holds nothing any more
     */
    record Published(
            AttemptReport report, boolean mine, boolean abandoned, List<CompletableFuture<AttemptReport>> stages) {}

    /** The attempt lock. */
    ReentrantLock lock() {
        return lock;
    }

    /**
     * Publishes the report, or waits until another thread has published it.
     *
     * @param build makes the report, under the attempt lock; what it throws leaves everything as it was
     * @param counted called under the attempt lock at the moment the report becomes visible
     */
    Published publish(Supplier<AttemptReport> build, Runnable counted) {
        lock.lock();
        try {
            var published = awaitOtherPublisher();
            if (published != null) {
                return new Published(published, false, false, List.of());
            }
            report = build.get();
            publisher = Thread.currentThread();
        } finally {
            lock.unlock();
        }
        return show(report, counted);
    }

    private @Nullable AttemptReport awaitOtherPublisher() {
        while (report != null && !visible) {
            if (publisher == Thread.currentThread()) {
                throw new IllegalStateException("a report sink cannot wait for the report that it is shown");
            }
            becameVisible.awaitUninterruptibly();
        }
        return report;
    }

    /** Shows the report to the sinks until there are no new ones, then makes it visible. */
    Published show(AttemptReport ready, Runnable counted) {
        while (true) {
            takeSinks().forEach(sink -> show(sink, ready));
            lock.lock();
            try {
                if (sinks.isEmpty()) {
                    return makeVisible(ready, counted);
                }
            } finally {
                lock.unlock();
            }
        }
    }

    List<Consumer<AttemptReport>> takeSinks() {
        lock.lock();
        try {
            var taken = sinks;
            sinks = List.of();
            return taken;
        } finally {
            lock.unlock();
        }
    }

    Published makeVisible(AttemptReport ready, Runnable counted) {
        assert lock.isHeldByCurrentThread();
        visible = true;
        publisher = null;
        counted.run();
        becameVisible.signalAll();
        var taken = stages;
        stages = List.of();
        return new Published(ready, true, receivers == 0, taken);
    }

    /** Has {@code sink} shown the report before it becomes visible, or at once when it is visible already. */
    void registerSink(Consumer<AttemptReport> sink) {
        AttemptReport ready;
        lock.lock();
        try {
            if (!visible) {
                sinks = sinks.isEmpty() ? new ArrayList<>(2) : sinks;
                sinks.add(sink);
                return;
            }
            ready = report;
        } finally {
            lock.unlock();
        }
        if (ready != null) {
            show(sink, ready);
        }
    }

    static void show(Consumer<AttemptReport> sink, AttemptReport ready) {
        try {
            sink.accept(ready);
        } catch (RuntimeException | Error failure) {
            LOG.warn("A report sink of attempt {} failed", ready.attemptId(), failure);
        }
    }

    void openReceiver() {
        lock.lock();
        try {
            receivers++;
        } finally {
            lock.unlock();
        }
    }

    void closeReceiver() {
        lock.lock();
        try {
            receivers--;
        } finally {
            lock.unlock();
        }
    }

    /** The report, when it is visible. */
    Optional<AttemptReport> poll() {
        lock.lock();
        try {
            return visible ? Optional.ofNullable(report) : Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    /** Waits for the report; empty when it is not visible after {@code waitNanos}. */
    Optional<AttemptReport> await(long waitNanos) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            var left = waitNanos;
            while (!visible && left > 0) {
                left = becameVisible.awaitNanos(left);
            }
            return visible ? Optional.ofNullable(report) : Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    /** A stage for the report, counted as a receiver until it is completed. */
    CompletableFuture<AttemptReport> stage() {
        lock.lock();
        try {
            if (visible && report != null) {
                return CompletableFuture.completedFuture(report);
            }
            var stage = new CompletableFuture<AttemptReport>();
            stages = stages.isEmpty() ? new ArrayList<>(1) : stages;
            stages.add(stage);
            receivers++;
            return stage;
        } finally {
            lock.unlock();
        }
    }
}
