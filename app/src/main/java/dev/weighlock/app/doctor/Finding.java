package dev.weighlock.app.doctor;

import org.jspecify.annotations.Nullable;

/**
 * One thing that was looked at.
 *
 * @param todo what to do about it; null where nothing is
 */
public record Finding(
        Level level, String subject, String what, @Nullable String todo) {
    /** How bad it is. A problem makes commands fail; a warning may. */
    public enum Level {
        OK("OK"),
        WARNING("warning"),
        PROBLEM("problem");

        private final String word;

        Level(String word) {
            this.word = word;
        }

        public String word() {
            return word;
        }
    }

    static Finding ok(String subject, String what) {
        return new Finding(Level.OK, subject, what, null);
    }

    static Finding warning(String subject, String what, String todo) {
        return new Finding(Level.WARNING, subject, what, todo);
    }

    static Finding problem(String subject, String what, String todo) {
        return new Finding(Level.PROBLEM, subject, what, todo);
    }
}
