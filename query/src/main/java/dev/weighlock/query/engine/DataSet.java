package dev.weighlock.query.engine;

import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * A database file of the engine's own kind that queries read as {@code cache.NAME}: its table of the same name.
 *
 * @param name small letters, digits and underscores
 * @param file absolute; nothing writes it while a query uses it
 */
public record DataSet(String name, Path file) {
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]{0,62}");

    public DataSet {
        if (!isName(name)) {
            throw new IllegalArgumentException("a data set cannot be named " + name);
        }
        if (!file.isAbsolute()) {
            throw new IllegalArgumentException("the file " + file + " of the data set " + name + " is not absolute");
        }
    }

    /** Whether a data set may have this name. */
    public static boolean isName(String text) {
        return NAME.matcher(text).matches();
    }
}
