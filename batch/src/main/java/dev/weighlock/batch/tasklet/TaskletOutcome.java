package dev.weighlock.batch.tasklet;

import dev.weighlock.batch.ExitStatus;

/** How a tasklet ended. */
public sealed interface TaskletOutcome {
    TaskletOutcome COMPLETED = new Completed(ExitStatus.COMPLETED);
    TaskletOutcome STOPPED = new Stopped();

    static TaskletOutcome completedWith(String exitCode) {
        return new Completed(new ExitStatus(exitCode));
    }

    /** The work is done and never runs again in this instance, also when a stop is pending. */
    record Completed(ExitStatus exitStatus) implements TaskletOutcome {}

    /** The work saw the stop and ended early; a restart runs it again. */
    record Stopped() implements TaskletOutcome {}

    /** The stop came before the work began: its body was never called. */
    record StoppedBeforeStart() implements TaskletOutcome {}

    /** The work could not see the stop, ran to a point where it could, and is not complete. */
    record StoppedAfterBlockingWork() implements TaskletOutcome {}

    /** The work ran to its end without seeing a stop that came meanwhile; it is complete. */
    record CompletedBlockingWork(ExitStatus exitStatus) implements TaskletOutcome {}

    /**
     * A COMMIT of the work's own got no answer, and it cannot tell what became of it.
     *
     * @param detail for the log and the diagnostics
     */
    record CommitOutcomeUnknown(String detail) implements TaskletOutcome {}
}
