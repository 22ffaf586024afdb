package dev.weighlock.app.terminal;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * SIGINT and SIGTERM of this process, taken from its start to its end. While a command handles them, the first two go to
 * its handler and a third ends the process where it is; otherwise the first ends it at once. (Shutdown hooks cannot do
 * this: they see no second signal.)
 *
 * <p>Thread-safe without a lock. A handler runs on a thread of the signal and must only hand the wish on.
 */
public final class Signals {
    private static final int INTERRUPTED = 130;
    private static final int TERMINATED = 143;
    private static final int MOST_HANDLED = 2;

    private final AtomicInteger code = new AtomicInteger();
    private final AtomicInteger count = new AtomicInteger();
    private final AtomicReference<@Nullable IntConsumer> handler = new AtomicReference<>();

    private Signals() {}

    /** Takes the signals of this process, for good. */
    public static Signals ofProcess() {
        Signals signals = new Signals();
        SignalHook hook = new SignalHook();
        hook.handle("INT", () -> signals.came(INTERRUPTED));
        hook.handle("TERM", () -> signals.came(TERMINATED));
        return signals;
    }

    /** Where somebody else takes the signals: none ever comes. */
    public static Signals none() {
        return new Signals();
    }

    private void came(int signal) {
        code.compareAndSet(0, signal);
        int which = count.incrementAndGet();
        IntConsumer handling = handler.get();
        if (handling != null && which <= MOST_HANDLED) {
            handling.accept(which);
        } else if (which == 1) {
            System.exit(signal);
        } else {
            Runtime.getRuntime().halt(signal);
        }
    }

    /** The end of a handling. */
    public interface Handling extends AutoCloseable {
        @Override
        void close();
    }

    /**
     * Hands the signals to {@code action}, one handler at a time.
     *
     * @param action gets 1 for the first signal, 2 for the second
     */
    public Handling handle(IntConsumer action) {
        if (!handler.compareAndSet(null, action)) {
            throw new IllegalStateException("the signals are handled already");
        }
        return () -> handler.compareAndSet(action, null);
    }

    /** The exit code that the first signal stands for (130, 143), 0 when none came. */
    public int exitCode() {
        return code.get();
    }
}
