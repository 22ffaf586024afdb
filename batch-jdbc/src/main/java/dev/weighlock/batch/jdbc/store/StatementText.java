package dev.weighlock.batch.jdbc.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A statement's text with its named parameters ({@code :name}) turned into the driver's, in the words of one database. */
record StatementText(String jdbc, List<String> names) {
    private record Key(Class<?> dialect, String text) {}

    private static final Map<Key, StatementText> PARSED = new ConcurrentHashMap<>();

    static StatementText of(Dialect dialect, String text) {
        return PARSED.computeIfAbsent(
                new Key(dialect.getClass(), text),
                key -> parse(text.replace("{now}", dialect.now())
                        .replace("{share}", dialect.share())
                        .replace("{lock}", dialect.lock())
                        .replace("{claim}", dialect.claim())));
    }

    private static StatementText parse(String text) {
        var jdbc = new StringBuilder(text.length());
        var names = new ArrayList<String>();
        int at = 0;
        while (at < text.length()) {
            char c = text.charAt(at);
            int end = c == ':' ? nameEnd(text, at + 1) : at;
            if (end > at + 1) {
                names.add(text.substring(at + 1, end));
                jdbc.append('?');
                at = end;
            } else {
                jdbc.append(c);
                at++;
            }
        }
        return new StatementText(jdbc.toString(), List.copyOf(names));
    }

    private static int nameEnd(String text, int start) {
        int end = start;
        while (end < text.length() && Character.isLetterOrDigit(text.charAt(end))) {
            end++;
        }
        return end;
    }
}
