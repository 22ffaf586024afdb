package dev.weighlock.app.terminal;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/**
 * Takes SIGINT and SIGTERM while a command runs. The first calls {@code first} on the signal thread, which must only hand the wish
 * on; the second ends the process at once: what is unfinished stays as the record says, and the next command recovers it.
 * (Shutdown hooks cannot do this: they see no second signal.)
 */
public final class Signals implements AutoCloseable {
    private static final int INTERRUPTED = 130;
    private static final int TERMINATED = 143;

    private final AtomicInteger taken = new AtomicInteger();
    private final Runnable restoreInterrupt;
    private final Runnable restoreTerminate;

    private Signals(IntConsumer first) {
        SignalHook hook = new SignalHook();
        this.restoreInterrupt = hook.handle("INT", () -> take(INTERRUPTED, first));
        this.restoreTerminate = hook.handle("TERM", () -> take(TERMINATED, first));
    }

    /** Installs the handlers; {@code first} gets the exit code that the signal stands for (130, 143). */
    public static Signals take(IntConsumer first) {
        return new Signals(first);
    }

    private void take(int code, IntConsumer first) {
        if (taken.compareAndSet(0, code)) {
            first.accept(code);
        } else {
            Runtime.getRuntime().halt(code);
        }
    }

    /** The exit code of the first signal, 0 when none came. */
    public int exitCode() {
        return taken.get();
    }

    @Override
    public void close() {
        restoreInterrupt.run();
        restoreTerminate.run();
    }
}
