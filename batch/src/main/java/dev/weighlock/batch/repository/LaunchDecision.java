package dev.weighlock.batch.repository;

import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.StepExecution;
import java.util.List;
import java.util.Optional;

/** What became of a launch. Every loser learns the execution that stands in the way. */
public sealed interface LaunchDecision {
    /**
     * The execution exists, owned by the caller's node; its context is its predecessor's, and its epoch is one more, so that
     * a checkpoint in a target fences every earlier attempt.
     *
     * @param begun the first step, where it was begun with the execution; then that is STARTED, else STARTING
     */
    record Created(JobExecution execution, Optional<StepExecution> begun) implements LaunchDecision {}

    /** The last execution is active; whether its owner lives is asked elsewhere. */
    record AlreadyRunning(JobExecution winner) implements LaunchDecision {}

    /** The last execution is COMPLETED or ABANDONED. */
    record AlreadyComplete(JobExecution winner) implements LaunchDecision {}

    /** The last execution is UNKNOWN and must be recovered first. */
    record OutcomeUnknown(JobExecution last) implements LaunchDecision {}

    /** Somebody launched and finished in between; decide again from this one. */
    record Superseded(JobExecution last) implements LaunchDecision {}

    /** The instance is held, or its removal began. */
    record Held(JobExecution last, Hold hold) implements LaunchDecision {}

    /** The job's slots are taken, and its limit says to refuse. */
    record LimitReached(List<JobExecution> running) implements LaunchDecision {
        public LimitReached {
            running = List.copyOf(running);
        }
    }

    /**
     * The launch waits for a slot, since now or still.
     *
     * @param ahead those that wait before it, the next one first
     */
    record Queued(QueuedLaunch request, List<QueuedLaunch> ahead, List<JobExecution> running)
            implements LaunchDecision {
        public Queued {
            ahead = List.copyOf(ahead);
            running = List.copyOf(running);
        }
    }

    /** Another launch of the same instance waits already. */
    record AlreadyQueued(QueuedLaunch other) implements LaunchDecision {}

    /** The launch request that the slot was claimed for waits no longer: somebody cancelled it. */
    record Withdrawn(QueuedLaunch request) implements LaunchDecision {}
}
