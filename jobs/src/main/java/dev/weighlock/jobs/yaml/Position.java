package dev.weighlock.jobs.yaml;

/** A place in a text file; line and column count from 1. */
public record Position(int line, int column) {
    /** The beginning of a file, for what has no better place. */
    public static final Position START = new Position(1, 1);

    public Position {
        if (line < 1 || column < 1) {
            throw new IllegalArgumentException("position %d:%d counts from 1".formatted(line, column));
        }
    }

    /** The place a number of lines further down, at the beginning of that line. */
    public Position linesDown(int lines) {
        return lines == 0 ? this : new Position(line + lines, 1);
    }
}
