package dev.weighlock.batch;

/**
 * What a flow is routed by: one of the four below or the user's own code. Apart from the {@link BatchStatus}, which
 * says how far the work came.
 *
 * @param code 1 to 64 bytes of UTF-8
 */
public record ExitStatus(String code) {
    public static final ExitStatus UNKNOWN = new ExitStatus("UNKNOWN");
    public static final ExitStatus COMPLETED = new ExitStatus("COMPLETED");
    public static final ExitStatus FAILED = new ExitStatus("FAILED");
    public static final ExitStatus STOPPED = new ExitStatus("STOPPED");

    /** @throws BatchException INVALID_DEFINITION when the code breaks the rules of names */
    public ExitStatus {
        Names.check("exit code", code, 64);
    }

    @Override
    public String toString() {
        return code;
    }
}
