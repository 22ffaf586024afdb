package dev.weighlock.query.engine;

import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * A database file of the engine's own kind that queries read as {@code cache.NAME}: its table of the same name.
 *
 * @param name small letters, digits and underscores
 * @param file absolute; nothing writes it while it is declared
 */
public record DataSet(String name, Path file) {
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]{0,62}");

    public DataSet {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("a data set cannot be named " + name);
        }
        if (!file.isAbsolute()) {
            throw new IllegalArgumentException("the file " + file + " of the data set " + name + " is not absolute");
        }
    }
}
