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
    /** An error refuses the file; a warning is said and the file runs. */
    public enum Severity {
        ERROR,
        WARNING
    }

    /** The one line shown to the user: {@code file:line: what; what to do}. */
    public String line() {
        String mark = severity == Severity.WARNING ? "warning: " : "";
        return "%s:%d: %s%s; %s".formatted(file, at.line(), mark, what, todo);
    }
}
