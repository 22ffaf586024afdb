package dev.weighlock.batch.launch;

import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.JobName;
import dev.weighlock.batch.StoredDefinition;
import dev.weighlock.batch.repository.Hold;
import dev.weighlock.batch.repository.QueuedLaunch;
import dev.weighlock.batch.run.RunningJob;
import java.util.List;

/** What became of a launch or restart. A refusal names the execution that stands in the way and changed nothing. */
public sealed interface LaunchResult {
    /** The execution exists and runs, or ran already when the caller's thread was used. */
    record Launched(RunningJob run) implements LaunchResult {}

    /** A live process runs the instance. */
    record AlreadyRunning(JobExecution winner) implements LaunchResult {}

    /** The instance is COMPLETED or ABANDONED. */
    record AlreadyComplete(JobExecution winner) implements LaunchResult {}

    /** The last attempt's outcome is unknown and must be recovered first. */
    record OutcomeUnknown(JobExecution last) implements LaunchResult {}

    /**
     * The definition is not that of the last attempt.
     *
     * @param changed ids of the nodes that changed and are not accepted; {@code job} for the job's own revision or entry
     */
    record DefinitionChanged(JobExecution last, List<String> changed) implements LaunchResult {
        public DefinitionChanged {
            changed = List.copyOf(changed);
        }
    }

    /** A restart named an execution that is not the instance's last. */
    record Superseded(JobExecution last) implements LaunchResult {}

    /** No execution has this id. */
    record NotFound(long executionId) implements LaunchResult {}

    /** This process cannot read the stored definition: another node runs this job. */
    record DefinitionUnavailable(JobExecution last, StoredDefinition definition) implements LaunchResult {}

    /** The job's workers at once need more connections than the repository's pool has; nothing is stored. */
    record TooFewConnections(int needed, int available) implements LaunchResult {}

    /** The instance is held: a person released it neither for restarts nor for removal. */
    record Held(JobExecution last, Hold hold) implements LaunchResult {}

    /** So many executions of the job run as its limit allows, and it says to refuse. */
    record LimitReached(JobName job, List<JobExecution> running) implements LaunchResult {
        public LimitReached {
            running = List.copyOf(running);
        }
    }

    /** The launch waits for a slot: the caller goes on asking, or closes it. */
    record Queued(WaitingLaunch waiting) implements LaunchResult {}

    /** Another launch of the same instance waits already. */
    record AlreadyQueued(QueuedLaunch other) implements LaunchResult {}

    /** Somebody cancelled the launch while it waited. */
    record Withdrawn(QueuedLaunch request) implements LaunchResult {}

    /** The process begins nothing new. */
    record ShuttingDown() implements LaunchResult {}
}
