package dev.weighlock.app.command;

import dev.weighlock.app.exit.ExitCode;
import dev.weighlock.app.terminal.Terminal;
import java.util.concurrent.Callable;
import picocli.CommandLine.Option;

/** What every command has: help, {@code --debug}, and an exit code. */
public abstract class WlCommand implements Callable<Integer> {
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Shows this help.")
    boolean help;

    @Option(names = "--debug", description = "Shows stack traces of errors.")
    boolean debug;

    private final Invocation invocation;

    protected WlCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    /** Does the work; failures are thrown. */
    protected abstract ExitCode run() throws Exception;

    @Override
    public final Integer call() throws Exception {
        return run().number();
    }

    protected final Invocation invocation() {
        return invocation;
    }

    protected final Terminal terminal() {
        return invocation.terminal();
    }

    final boolean debug() {
        return debug;
    }
}
