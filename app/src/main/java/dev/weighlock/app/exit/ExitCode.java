package dev.weighlock.app.exit;

/** The exit codes of {@code wl}: part of its contract with scripts, listed in the README and in the help. */
public enum ExitCode {
    DONE(0, "done"),
    FAILED(1, "the job or query failed after it was accepted (SQL inside a job, data, memory, deadline, disk)"),
    USAGE(2, "usage, job file, parameter, a named file that is missing; for wl query also SQL that is rejected"),
    REFUSED(
            3,
            "refused by a rule (statement kind, path, cap, shell, schema version, changed definition, finished or held"
                    + " execution)"),
    NOT_FOUND(4, "unknown job or execution"),
    CONFLICT(
            5,
            "already running (or as many as max_concurrent allows), already complete, owned by a live process, stale version"),
    OUTCOME_UNKNOWN(6, "outcome unknown"),
    REPOSITORY(7, "repository unreachable or locked"),
    BUSY(75, "queue full, wait elapsed, or other processes hold the memory of the machine"),
    INTERRUPTED(130, "stopped by Ctrl-C"),
    STOPPED(131, "STOPPED by a request or by the flow"),
    TERMINATED(143, "stopped by SIGTERM");

    private final int number;
    private final String meaning;

    ExitCode(int number, String meaning) {
        this.number = number;
        this.meaning = meaning;
    }

    /** What a command that a signal ended returns. */
    public static ExitCode ofSignal(int number) {
        return number == INTERRUPTED.number ? INTERRUPTED : TERMINATED;
    }

    public int number() {
        return number;
    }

    public String meaning() {
        return meaning;
    }
}
