package dev.weighlock.app.command;

import dev.weighlock.app.exit.ExitCode;
import dev.weighlock.app.terminal.Signals;
import dev.weighlock.app.terminal.Terminal;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Hands the signals of one command to what it runs: the first requests the shutdown, the second escalates it. One that
 * comes while nothing runs yet is kept until something does.
 *
 * <p>Thread-safe. The monitor guards the count of requests and who gets them, and is held while a request is made, which
 * only hands the wish on.
 */
final class ShutdownBySignal implements AutoCloseable {
    private final Terminal terminal;
    private final Signals signals;
    private final Signals.Handling handling;
    private final CompletableFuture<Void> requested = new CompletableFuture<>();
    private @Nullable Consumer<String> target;
    private int kept;

    ShutdownBySignal(Invocation invocation) {
        this.terminal = invocation.terminal();
        this.signals = invocation.signals();
        this.handling = signals.handle(this::came);
    }

    /**
     * From now on signals reach {@code request}, those that came before too.
     *
     * @param request gets the name of who asks; called twice at most
     */
    synchronized void reaches(Consumer<String> request) {
        target = request;
        for (; kept > 0; kept--) {
            request.accept(actor());
        }
    }

    private void came(int which) {
        terminal.note(
                which == 1
                        ? "stopping: running work ends cleanly and commits (again to end at once)"
                        : "ending: nothing is waited for any more");
        request();
        requested.complete(null);
    }

    private synchronized void request() {
        Consumer<String> reached = target;
        if (reached == null) {
            kept++;
        } else {
            reached.accept(actor());
        }
    }

    private String actor() {
        return (code() == ExitCode.INTERRUPTED ? "SIGINT" : "SIGTERM") + " to process "
                + ProcessHandle.current().pid();
    }

    boolean isRequested() {
        return requested.isDone();
    }

    /** Done with the first signal. */
    CompletableFuture<Void> requested() {
        return requested.copy();
    }

    /** What the command returns because of the signal that came. */
    ExitCode code() {
        return ExitCode.ofSignal(signals.exitCode());
    }

    @Override
    public void close() {
        handling.close();
    }
}
