package dev.weighlock.app;

import dev.weighlock.app.command.CommandLineTree;
import dev.weighlock.app.command.Invocation;
import dev.weighlock.app.demo.DemoCommand;
import dev.weighlock.app.prove.ProveCommand;
import dev.weighlock.app.terminal.Signals;
import dev.weighlock.app.terminal.Terminal;
import java.nio.file.Path;
import java.util.Map;

/** The program behind {@code wl}. */
public final class Main {
    private static final int OUTPUT_LOST = 1;

    private Main() {}

    /**
     * A result that a full disk cut is no success. A reader that has gone, such as {@code head}, has what it wanted: then
     * the command ends as it would have, without a word.
     */
    private static int written(Terminal terminal, int code) {
        boolean lost = terminal.out().checkError() && !terminal.readerGone();
        if (lost && code == 0) {
            terminal.note("wl: standard output could not be written in full: the disk is full where it goes");
        }
        terminal.err().flush();
        return lost && code == 0 ? OUTPUT_LOST : code;
    }

    public static void main(String[] arguments) {
        // Before anything else: a signal that comes while the program starts is one of ours too.
        Signals signals = Signals.ofProcess();
        Map<String, String> environment = System.getenv();
        Terminal terminal = Terminal.ofProcess(environment);
        Invocation invocation = new Invocation(terminal, Path.of("").toAbsolutePath(), environment, signals);
        int code = CommandLineTree.of(invocation, new DemoCommand(invocation), new ProveCommand(invocation))
                .execute(arguments);
        System.exit(written(terminal, code));
    }
}
