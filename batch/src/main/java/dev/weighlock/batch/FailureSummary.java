package dev.weighlock.batch;

/**
 * Why an execution failed: a closed category and an opaque id that finds the full text in the execution's log. Holds no
 * user text, so that identity, metrics and decisions never depend on one.
 *
 * @param id 1 to 64 bytes, unique enough to search a log for
 */
public record FailureSummary(FailureCategory category, String id) {
    /** @throws BatchException INVALID_DEFINITION when the id breaks the rules of names */
    public FailureSummary {
        Names.check("failure id", id, 64);
    }
}
