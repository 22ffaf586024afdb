package dev.weighlock.batch.run;

import dev.weighlock.batch.JobExecution;

/** How a run ended in this process. */
public sealed interface RunOutcome {
    /** Its terminal status is stored. */
    record Ended(JobExecution execution) implements RunOutcome {}

    /**
     * This process let go of the execution without storing an end: it was taken over, or the repository could not be
     * reached. The repository tells what it is now.
     *
     * @param last as this process last knew it
     * @param reason for people
     */
    record GivenUp(JobExecution last, String reason) implements RunOutcome {}
}
