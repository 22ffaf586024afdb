package dev.weighlock.batch.flow;

import dev.weighlock.batch.step.JobContext;

/** Chooses a way through the flow. Asked once an instance: its answer is stored and used again by every restart. */
@FunctionalInterface
public interface Decider {
    /** The exit code to route by; an exception fails the job. */
    String decide(JobContext context) throws Exception;
}
