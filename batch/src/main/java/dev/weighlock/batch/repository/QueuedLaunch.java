package dev.weighlock.batch.repository;

import dev.weighlock.batch.JobName;
import dev.weighlock.batch.JobParameters;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A launch request: a launch that waits, or waited, for a slot of its job. Ids rise; the lowest that waits is the next.
 *
 * @param identity of the instance it is about
 * @param waiter the process that waits and will run it
 * @param execution what became of a STARTED one
 * @param endedBy who cancelled, and why; of a CANCELLED one
 */
public record QueuedLaunch(
        long id,
        JobName job,
        JobParameters parameters,
        String identity,
        String actor,
        NodeInfo waiter,
        Instant requestedAt,
        State state,
        OptionalLong execution,
        Optional<String> endedBy) {
    /** How far a request came. */
    public enum State {
        WAITING,
        STARTED,
        CANCELLED
    }

    /** What people call it: its id is no execution's. */
    public String name() {
        return "r" + id;
    }

    public boolean isWaiting() {
        return state == State.WAITING;
    }
}
