package dev.weighlock.jobs.yaml;

/** A place in a text file; line and column count from 1, and are 0 for the file as a whole. */
public record Position(int line, int column) {
    /** The beginning of a file, for what has no better place. */
    public static final Position START = new Position(1, 1);

    /** What is said of a file as a whole, for example that it does not exist. */
    public static final Position WHOLE_FILE = new Position(0, 0);

    public Position {
        if (line < 0 || column < 0 || (line == 0) != (column == 0)) {
            throw new IllegalArgumentException("position %d:%d counts from 1".formatted(line, column));
        }
    }

    /** The place a number of lines further down, at the beginning of that line. */
    public Position linesDown(int lines) {
        return lines == 0 ? this : new Position(line + lines, 1);
    }
}
