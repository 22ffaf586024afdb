package dev.weighlock.batch.shutdown;

import dev.weighlock.batch.BatchException;
import dev.weighlock.batch.shutdown.ShutdownHooks.Kind;
import dev.weighlock.batch.shutdown.ShutdownHooks.Outcome;
import dev.weighlock.batch.shutdown.ShutdownHooks.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Ends a process's work in one order: intake, cancel, what the work in flight does by its own policy, join of the owned
 * tasks, close of the owned resources, persist; then flush of the telemetry, heartbeat, repository.
 *
 * <p>Thread-safe, without a lock of its own: the gate of the tasks decides who was first. Both ways in, {@link #drain}
 * and {@link #shutdown}, do their part once, on the thread of the first caller; later callers wait and get the same
 * result. No owned task may call them: it would wait for itself. An interrupt ends the joining as an escalation does, and
 * is restored at the end.
 */
public final class ShutdownCoordinator {
    private final ShutdownSettings settings;
    private final OwnedTasks tasks;
    private final ShutdownHooks hooks;
    private final List<OwnedResource> resources = new CopyOnWriteArrayList<>();
    private final AtomicReference<@Nullable CompletableFuture<Drained>> drained = new AtomicReference<>();
    private final AtomicReference<@Nullable CompletableFuture<ShutdownResult>> ended = new AtomicReference<>();

    public ShutdownCoordinator(ShutdownSettings settings, OwnedTasks tasks, ShutdownHooks hooks) {
        this.settings = settings;
        this.tasks = tasks;
        this.hooks = hooks;
    }

    /** Closes the intake and asks the work to stop; a second request ends the joining at once and kills nothing. */
    public ShutdownRequest requestShutdown() {
        return tasks.request();
    }

    /** @throws BatchException SHUTTING_DOWN after the first request */
    public void ensureAccepting() {
        tasks.ensureAccepting();
    }

    /**
     * Runs {@code body} on a thread of its own, as an owned task.
     *
     * @throws BatchException SHUTTING_DOWN after the first request
     */
    public void spawn(TaskPhase phase, Consumer<OwnedTask> body) {
        tasks.spawn(phase, body);
    }

    /**
     * Closes {@code resource} with this process's work; those that came last first.
     *
     * @throws BatchException SHUTTING_DOWN after the first request
     */
    public void own(OwnedResource resource) {
        tasks.ensureAccepting();
        resources.add(resource);
    }

    /** The order up to the stored record. Makes the first request when there was none, and never escalates. */
    public Drained drain() {
        return once(drained, this::drainNow);
    }

    /** The whole order. Makes the first request when there was none, and never escalates. */
    public ShutdownResult shutdown() {
        return once(ended, this::shutdownNow);
    }

    private static <T> T once(AtomicReference<@Nullable CompletableFuture<T>> place, Supplier<T> work) {
        var mine = new CompletableFuture<T>();
        var first = place.compareAndExchange(null, mine);
        if (first != null) {
            return first.join();
        }
        try {
            mine.complete(work.get());
        } catch (Throwable e) {
            mine.completeExceptionally(e);
            throw e;
        }
        return mine.join();
    }

    private Drained drainNow() {
        long until = System.nanoTime() + settings.deadline().toNanos();
        try (var patience = new Patience(tasks.escalation())) {
            tasks.requestIfAccepting();
            var joined = join(patience);
            var held = closeResources(patience, until);
            return new Drained(joined, held, persist(held, until));
        }
    }

    private DrainResult join(Patience patience) {
        try {
            return tasks.join(settings.taskJoin());
        } catch (InterruptedException e) {
            patience.interrupted();
            return tasks.standing();
        }
    }

    private List<OwnedResource.Held> closeResources(Patience patience, long until) {
        var held = new ArrayList<OwnedResource.Held>();
        for (var resource : resources.reversed()) {
            held.addAll(new ResourceClose(resource).closeBy(patience, until));
        }
        return held;
    }

    private Outcome persist(List<OwnedResource.Held> held, long until) {
        var outcome = HookCall.here(Kind.PERSIST, () -> hooks.persist().run(held));
        return outcome.status() == Status.COMPLETED && System.nanoTime() - until > 0
                ? new Outcome(Kind.PERSIST, Status.DEADLINE_EXCEEDED, "it ended after the shutdown deadline")
                : outcome;
    }

    private ShutdownResult shutdownNow() {
        var before = drain();
        var outcomes = new ArrayList<Outcome>();
        outcomes.add(before.persist());
        var dropped = new AtomicReference<>(OptionalLong.empty());
        var flush = HookCall.within(
                settings.telemetryFlush(),
                Kind.FLUSH_TELEMETRY,
                () -> dropped.set(OptionalLong.of(hooks.flush().run())));
        outcomes.add(flush);
        // What comes after the deadline is not counted: the result says that nobody knows.
        var known = flush.status() == Status.COMPLETED ? dropped.get() : OptionalLong.empty();
        outcomes.add(HookCall.within(settings.poolClose(), Kind.STOP_HEARTBEAT, hooks.stopHeartbeat()));
        outcomes.add(HookCall.within(settings.poolClose(), Kind.CLOSE_REPOSITORY, hooks.closeRepository()));
        tasks.close();
        return new ShutdownResult(before, outcomes, known);
    }

    /** How much longer to wait than nothing: none after an escalation or an interrupt. For one thread. */
    static final class Patience implements AutoCloseable {
        private final CompletableFuture<Void> over;
        private boolean interrupted;

        Patience(CompletableFuture<Void> escalation) {
            this.over = escalation;
        }

        CompletableFuture<Void> over() {
            return over;
        }

        Duration left(long untilNanos) {
            long left = untilNanos - System.nanoTime();
            return over.isDone() || left < 0 ? Duration.ZERO : Duration.ofNanos(left);
        }

        void interrupted() {
            interrupted = true;
            over.complete(null);
        }

        @Override
        public void close() {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
