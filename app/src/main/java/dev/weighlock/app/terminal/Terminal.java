package dev.weighlock.app.terminal;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;

/**
 * The two streams of the command and what they are connected to. Results go to {@code out}; progress, notes and errors go to
 * {@code err} when {@code out} carries data. The launcher says which stream is a terminal ({@code weighlock.terminal}, words
 * {@code out} and {@code err}) and how wide it is; without its word nothing is one.
 *
 * @param out results
 * @param err notes and errors
 * @param outIsTerminal a person reads {@code out}
 * @param errIsTerminal a person reads {@code err}
 * @param colour colours may be used on streams that are terminals
 * @param width columns of the terminal
 */
public record Terminal(
        PrintStream out, PrintStream err, boolean outIsTerminal, boolean errIsTerminal, boolean colour, int width) {
    private static final int USUAL_WIDTH = 100;
    private static final int LEAST_WIDTH = 40;

    /** The terminal of this process. */
    public static Terminal ofProcess(Map<String, String> environment) {
        Set<String> terminals =
                Set.of(System.getProperty("weighlock.terminal", "").strip().split(" +"));
        boolean dumb = "dumb".equals(environment.get("TERM"));
        String noColour = environment.getOrDefault("NO_COLOR", "");
        return new Terminal(
                new ResultStream(new FileOutputStream(FileDescriptor.out)),
                new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8),
                terminals.contains("out") && !dumb,
                terminals.contains("err") && !dumb,
                noColour.isEmpty(),
                Math.max(LEAST_WIDTH, Integer.getInteger("weighlock.width", USUAL_WIDTH)));
    }

    /** Whether whoever read the result has gone, such as {@code head} that has its lines. */
    public boolean readerGone() {
        return out.checkError() && out instanceof ResultStream stream && stream.readerGone();
    }

    /** Prints one line of a result. */
    public void line(String text) {
        out.println(text);
    }

    /** Says something beside the result. */
    public void note(String text) {
        err.println(text);
    }

    /** The text in a style, when {@code out} is a terminal that may show it. */
    public String styled(Style style, String text) {
        return outIsTerminal && colour ? style.on() + text + Style.OFF : text;
    }
}
