package dev.weighlock.batch.shutdown;

import dev.weighlock.batch.shutdown.ShutdownHooks.Kind;
import dev.weighlock.batch.shutdown.ShutdownHooks.Outcome;
import dev.weighlock.batch.shutdown.ShutdownHooks.Status;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs one hook and says what became of it; never throws for what the hook threw. */
final class HookCall {
    private static final Logger LOG = LoggerFactory.getLogger(HookCall.class);

    private HookCall() {}

    /** On this thread, to its end. */
    static Outcome here(Kind kind, ShutdownHooks.Action action) {
        try {
            action.run();
            return Outcome.completed(kind);
        } catch (Throwable e) {
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            LOG.warn("the shutdown hook {} failed", kind, e);
            return new Outcome(kind, Status.FAILED, String.valueOf(e));
        }
    }

    /** On a daemon thread, which is interrupted and left alone when its time is over. */
    static Outcome within(Duration limit, Kind kind, ShutdownHooks.Action action) {
        var outcome = new CompletableFuture<Outcome>();
        var thread = Thread.ofPlatform()
                .daemon()
                .name("weighlock-shutdown-" + kind)
                .start(() -> outcome.complete(here(kind, action)));
        if (await(outcome, limit)) {
            return outcome.join();
        }
        thread.interrupt();
        LOG.warn("the shutdown hook {} did not end within {}", kind, limit);
        return new Outcome(kind, Status.DEADLINE_EXCEEDED, "it did not end within " + limit);
    }

    /** An interrupt shortens no bounded wait; it is restored. */
    private static boolean await(CompletableFuture<?> future, Duration limit) {
        long until = System.nanoTime() + limit.toNanos();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    future.get(until - System.nanoTime(), TimeUnit.NANOSECONDS);
                    return true;
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (TimeoutException e) {
                    return false;
                } catch (java.util.concurrent.ExecutionException e) {
                    throw new IllegalStateException(e.getCause());
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
