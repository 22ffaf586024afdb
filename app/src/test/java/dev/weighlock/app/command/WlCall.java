package dev.weighlock.app.command;

import dev.weighlock.app.terminal.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;

/** The command line within this process: what needs no process of its own is quicker so. */
final class WlCall {
    private WlCall() {}

    static WlProcess.Outcome run(Path folder, String... words) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Terminal terminal = new Terminal(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                false,
                false,
                false,
                200);
        Map<String, String> environment =
                Map.of("WEIGHLOCK_BUDGET_FOLDER", folder.resolve("budget").toString());
        int code = CommandLineTree.of(new Invocation(terminal, folder, environment))
                .execute(words);
        return new WlProcess.Outcome(code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }
}
