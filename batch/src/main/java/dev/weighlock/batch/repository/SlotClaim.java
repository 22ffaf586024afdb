package dev.weighlock.batch.repository;

import dev.weighlock.batch.MaxConcurrent;
import java.util.OptionalLong;

/**
 * A launch's claim to one of the slots of its job.
 *
 * @param actor who launches, for those who look at the queue
 * @param request the launch request that waits for the slot already; empty at the first try
 * @param aheadOfQueue whether those who wait are passed: an execution that is restarted after its process died had a slot
 */
public record SlotClaim(MaxConcurrent limit, String actor, OptionalLong request, boolean aheadOfQueue) {
    public SlotClaim {
        actor = RepositoryBounds.text(actor);
    }

    /** Whether there is a slot, with so many active executions and so many that wait before this one. */
    public boolean hasSlot(int running, int ahead) {
        return running + (aheadOfQueue ? 0 : ahead) < limit.runs();
    }
}
