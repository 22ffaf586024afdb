package dev.weighlock.jobs.sql;

import java.util.regex.Pattern;

/** A column or table name that came from a value: a plain word, then quoted, so that it can be nothing else. */
public final class CheckedIdentifier {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,62}");

    private CheckedIdentifier() {}

    /**
     * The value in double quotes.
     *
     * @throws IllegalArgumentException where the value is not a plain word of at most 63 characters
     */
    public static String quoted(String name, String value) {
        if (!PLAIN.matcher(value).matches()) {
            throw new IllegalArgumentException(
                    "the value of {%s|identifier} is not a plain identifier; use letters, digits and underscores, at most 63"
                            .formatted(name));
        }
        return '"' + value + '"';
    }
}
