package dev.weighlock.app;

import dev.weighlock.app.command.CommandLineTree;
import dev.weighlock.app.command.Invocation;
import dev.weighlock.app.demo.DemoCommand;
import dev.weighlock.app.terminal.Terminal;
import java.nio.file.Path;
import java.util.Map;

/** The program behind {@code wl}. */
public final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        Map<String, String> environment = System.getenv();
        Terminal terminal = Terminal.ofProcess(environment);
        Invocation invocation = new Invocation(terminal, Path.of("").toAbsolutePath(), environment);
        int code = CommandLineTree.of(invocation, new DemoCommand(invocation)).execute(arguments);
        terminal.out().flush();
        terminal.err().flush();
        System.exit(code);
    }
}
