package dev.weighlock.jobs.shell;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Copies a program's output into the log, line by line, bounded, without the values of secrets. For one thread. */
final class ShellOutput {
    private static final Logger LOG = LoggerFactory.getLogger("shell");
    private static final int LONGEST_LINE = 8_000;

    private final String step;
    private final List<String> secrets;
    private final StringBuilder line = new StringBuilder();
    private long lines;

    /** @param secrets never logged; the longest is looked for first, since one may hold another */
    ShellOutput(String step, List<String> secrets) {
        this.step = step;
        this.secrets = secrets.stream()
                .flatMap(String::lines)
                .filter(part -> !part.isBlank())
                .sorted(Comparator.comparingInt(String::length).reversed())
                .toList();
    }

    /** Reads to the end; returns the number of lines. */
    long copy(InputStream in) throws IOException {
        try (Reader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            for (int c = reader.read(); c >= 0; c = reader.read()) {
                if (c == '\n') {
                    end();
                } else if (line.length() < LONGEST_LINE) {
                    line.append((char) c);
                }
            }
        } finally {
            if (!line.isEmpty()) {
                end();
            }
        }
        return lines;
    }

    private void end() {
        String text = line.toString();
        boolean cut = text.length() == LONGEST_LINE;
        for (String secret : secrets) {
            text = text.replace(secret, "***");
        }
        // A cut may fall inside a secret: what could be its beginning is not shown.
        String shown = cut && !secrets.isEmpty() ? text.substring(0, text.length() - longestSecret(text)) : text;
        LOG.info("{}: {}{}", step, shown, cut ? " …" : "");
        line.setLength(0);
        lines++;
    }

    private int longestSecret(String text) {
        return Math.min(text.length(), secrets.getFirst().length());
    }
}
