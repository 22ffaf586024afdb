package dev.weighlock.app.exit;

import org.jspecify.annotations.Nullable;

/** Ends a command: what is wrong, where (a file and line, an id), what to do about it, and the exit code. */
public final class CommandFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ExitCode code;
    private final @Nullable String remedy;
    private @Nullable String where;

    public CommandFailure(ExitCode code, String what, @Nullable String remedy, @Nullable Throwable cause) {
        super(what, cause);
        this.code = code;
        this.remedy = remedy;
    }

    public CommandFailure(ExitCode code, String what, @Nullable String remedy) {
        this(code, what, remedy, null);
    }

    public CommandFailure(ExitCode code, String what) {
        this(code, what, null, null);
    }

    public ExitCode code() {
        return code;
    }

    /** The same failure, at a file and line. */
    public CommandFailure at(@Nullable String place) {
        where = place;
        return this;
    }

    /** Where it is: {@code FILE:LINE}; null where the message alone tells. */
    public @Nullable String where() {
        return where;
    }

    public @Nullable String remedy() {
        return remedy;
    }
}
