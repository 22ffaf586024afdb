package dev.weighlock.app.log;

import dev.weighlock.app.terminal.Json;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Turns the bytes of a log into one JSON document a line: {@code {"at","level","thread","logger","message"}}; lines that
 * begin no entry, such as those of a stack trace, belong to the message before them. For one thread; closing writes the
 * last entry.
 */
public final class JsonLines extends OutputStream {
    private static final Pattern ENTRY =
            Pattern.compile("(\\d{4}-\\S+Z) ([A-Z]+) \\[(.*?)] (\\S*?): (.*)", Pattern.DOTALL);

    private final PrintStream out;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private @Nullable Map<String, Object> entry;
    private final StringBuilder message = new StringBuilder();

    public JsonLines(PrintStream out) {
        this.out = out;
    }

    @Override
    public void write(int b) {
        if (b == '\n') {
            take(line.toString(StandardCharsets.UTF_8));
            line.reset();
        } else {
            line.write(b);
        }
    }

    private void take(String text) {
        Matcher begins = ENTRY.matcher(text);
        if (!begins.matches()) {
            message.append(message.isEmpty() ? "" : "\n").append(text);
            return;
        }
        writeEntry();
        entry = new LinkedHashMap<>();
        entry.put("at", begins.group(1));
        entry.put("level", begins.group(2));
        entry.put("thread", begins.group(3));
        entry.put("logger", begins.group(4));
        message.append(begins.group(5));
    }

    private void writeEntry() {
        Map<String, Object> done = entry == null ? new LinkedHashMap<>() : entry;
        if (entry != null || !message.isEmpty()) {
            done.put("message", message.toString());
            Json.print(out, done);
        }
        message.setLength(0);
        entry = null;
    }

    @Override
    public void close() {
        if (line.size() > 0) {
            take(line.toString(StandardCharsets.UTF_8));
            line.reset();
        }
        writeEntry();
    }
}
