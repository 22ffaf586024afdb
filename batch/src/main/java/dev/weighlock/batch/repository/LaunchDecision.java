package dev.weighlock.batch.repository;

import dev.weighlock.batch.JobExecution;

/** What became of a launch. Every loser learns the execution that stands in the way. */
public sealed interface LaunchDecision {
    /** The execution exists, STARTING, owned by the caller's node; its context is its predecessor's, and its epoch is
     * one more, so that a checkpoint in a target fences every earlier attempt. */
    record Created(JobExecution execution) implements LaunchDecision {}

    /** The last execution is active; whether its owner lives is asked elsewhere. */
    record AlreadyRunning(JobExecution winner) implements LaunchDecision {}

    /** The last execution is COMPLETED or ABANDONED. */
    record AlreadyComplete(JobExecution winner) implements LaunchDecision {}

    /** The last execution is UNKNOWN and must be recovered first. */
    record OutcomeUnknown(JobExecution last) implements LaunchDecision {}

    /** Somebody launched and finished in between; decide again from this one. */
    record Superseded(JobExecution last) implements LaunchDecision {}
}
