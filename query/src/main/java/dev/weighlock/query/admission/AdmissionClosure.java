package dev.weighlock.query.admission;

import dev.weighlock.query.AttemptId;
import java.util.List;

/**
 * How a close went.
 *
 * @param refusedWaiters requests that waited and were told, by whichever call of close
 * @param stillHeld grants that nobody had given back at the deadline
 */
public record AdmissionClosure(int refusedWaiters, List<Held> stillHeld) {
    public AdmissionClosure {
        stillHeld = List.copyOf(stillHeld);
    }

    /** One grant that is still out. */
    public record Held(AttemptId attempt, String label, int deviceOrdinal, long grantId, long bytes, long heldNanos) {}

    public boolean isComplete() {
        return stillHeld.isEmpty();
    }
}
