package dev.weighlock.batch.shutdown;

import dev.weighlock.batch.BatchException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The work that a process owns, and the gate before it. Work runs on platform threads, which are kept and used again.
 *
 * <p>Thread-safe; no lock of its own: the gate's guards state and tasks, and no task and no action runs under it.
 */
public final class OwnedTasks {
    private static final Logger LOG = LoggerFactory.getLogger(OwnedTasks.class);

    private final TaskGate gate = new TaskGate();
    private final CompletableFuture<Void> escalation = new CompletableFuture<>();
    private final Runnable onFirstRequest;
    private final ExecutorService threads;

    /** @param onFirstRequest asks the work to stop; runs on the thread of the first request */
    public OwnedTasks(String threadName, Runnable onFirstRequest) {
        this.onFirstRequest = onFirstRequest;
        this.threads = Executors.newCachedThreadPool(
                Thread.ofPlatform().daemon().name(threadName + "-", 1).factory());
    }

    /** @throws BatchException SHUTTING_DOWN after the first request */
    public void ensureAccepting() {
        gate.ensureAccepting();
    }

    /**
     * Registers work that the calling thread does.
     *
     * @throws BatchException SHUTTING_DOWN after the first request
     */
    public OwnedTask begin(TaskPhase phase) {
        return gate.begin(phase);
    }

    /**
     * Runs {@code body} on a thread of its own.
     *
     * @throws BatchException SHUTTING_DOWN after the first request
     */
    public void spawn(TaskPhase phase, Consumer<OwnedTask> body) {
        start(begin(phase), body);
    }

    /** Runs a part of a task that is owned already; also while the process stops, because its parent is stopped. */
    public void spawnChild(TaskPhase phase, Consumer<OwnedTask> body) {
        start(gate.beginChild(phase), body);
    }

    /** Runs what {@link #begin} registered on a thread of its own; a task that gets none is closed. */
    public void start(OwnedTask task, Consumer<OwnedTask> body) {
        try {
            threads.execute(() -> run(task, body));
        } catch (Throwable e) {
            task.close();
            throw e;
        }
    }

    /** The edge at which a task's failure ends: whoever needs it has it already. */
    private void run(OwnedTask task, Consumer<OwnedTask> body) {
        try {
            body.accept(task);
        } catch (Throwable e) {
            gate.panicked();
            LOG.error("an owned task ended with an exception", e);
        } finally {
            // After the count: whoever joins sees it.
            task.close();
        }
    }

    /** Closes the intake and asks the work to stop; a second request ends the join. */
    public ShutdownRequest request() {
        var answer = gate.request();
        switch (answer) {
            case INITIATED -> onFirstRequest.run();
            case ESCALATED -> escalation.complete(null);
            case ALREADY_ESCALATED -> {}
        }
        return answer;
    }

    /** Makes the first request when there was none; never escalates. */
    public void requestIfAccepting() {
        if (gate.requestIfAccepting()) {
            onFirstRequest.run();
        }
    }

    /** Done with the second request. */
    CompletableFuture<Void> escalation() {
        return escalation.copy();
    }

    /** Waits until no owned task runs, at most so long, and not after an escalation. */
    public DrainResult join(Duration atMost) throws InterruptedException {
        return gate.join(atMost);
    }

    /** Waits until no owned task runs, at most so long, also after an escalation; whether none does. */
    public boolean awaitEnds(Duration atMost) throws InterruptedException {
        return gate.awaitEnds(atMost);
    }

    DrainResult standing() {
        return gate.standing();
    }

    /** Lets idle threads end. Running tasks go on. */
    public void close() {
        threads.shutdown();
    }
}
