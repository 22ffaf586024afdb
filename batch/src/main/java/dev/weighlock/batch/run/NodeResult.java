package dev.weighlock.batch.run;

import dev.weighlock.batch.FailureSummary;
import java.util.Optional;

/** What became of one node of the flow. */
sealed interface NodeResult {
    /**
     * The flow goes on by an exit code.
     *
     * @param failure of a step that failed, for a job that fails with it
     */
    record Routed(String exitCode, Optional<FailureSummary> failure, Optional<String> diagnostics)
            implements NodeResult {
        Routed(String exitCode) {
            this(exitCode, Optional.empty(), Optional.empty());
        }
    }

    /** An earlier attempt went on from here, and so does this one. */
    record AlreadyDecided(String target) implements NodeResult {}

    /** The job ends before any transition is read. */
    record Halted(JobEnd end) implements NodeResult {}
}
