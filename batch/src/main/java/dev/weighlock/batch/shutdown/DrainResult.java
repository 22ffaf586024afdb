package dev.weighlock.batch.shutdown;

import java.util.Map;

/** Whether all owned tasks ended in time. */
public sealed interface DrainResult {
    /** Tasks that ended with an exception nobody handled. */
    int panicked();

    record Complete(int panicked) implements DrainResult {}

    /**
     * Some tasks still run; nothing was killed and no status was invented for them.
     *
     * @param unjoined how many; the phases' counts sum to it
     * @param escalated whether a second request ended the joining
     */
    record Incomplete(int unjoined, Map<TaskPhase, Integer> byPhase, int panicked, boolean escalated)
            implements DrainResult {
        public Incomplete {
            byPhase = Map.copyOf(byPhase);
            int sum = byPhase.values().stream().mapToInt(Integer::intValue).sum();
            if (sum != unjoined) {
                throw new IllegalArgumentException("the phases sum to " + sum + ", not to " + unjoined);
            }
        }
    }
}
