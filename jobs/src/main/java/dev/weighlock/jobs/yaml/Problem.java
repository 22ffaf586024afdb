package dev.weighlock.jobs.yaml;

/**
 * One thing wrong or doubtful in a file of the user.
 *
 * @param file the file as the user knows it
 * @param at where in it
 * @param what what is wrong, one sentence without a full stop
 * @param todo what the user can do about it
 */
public record Problem(Severity severity, String file, Position at, String what, String todo) {
    /** A warning is said and the file runs; with anything else it does not. */
    public enum Severity {
        ERROR,
        /** Sound in itself, but against a rule of the job or the machine. */
        REFUSED,
        WARNING
    }

    /** Whether the file runs all the same. */
    public boolean isWarning() {
        return severity == Severity.WARNING;
    }

    /** The one line shown to the user: {@code file:line: what; what to do}. */
    public String line() {
        String mark = isWarning() ? "warning: " : "";
        String place = at.equals(Position.WHOLE_FILE) ? "" : file + ":" + at.line() + ": ";
        return "%s%s%s; %s".formatted(place, mark, what, todo);
    }
}
