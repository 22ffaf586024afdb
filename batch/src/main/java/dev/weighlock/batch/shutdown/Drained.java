package dev.weighlock.batch.shutdown;

import java.util.List;

/**
 * What a drain left.
 *
 * @param tasks whether all owned tasks ended
 * @param held what owned resources still held, by name
 * @param persist what became of storing the record; it changes neither of the others
 */
public record Drained(DrainResult tasks, List<OwnedResource.Held> held, ShutdownHooks.Outcome persist) {
    public Drained {
        held = List.copyOf(held);
    }

    /** Whether nothing of this process's work goes on. */
    public boolean isComplete() {
        return tasks instanceof DrainResult.Complete && held.isEmpty();
    }
}
