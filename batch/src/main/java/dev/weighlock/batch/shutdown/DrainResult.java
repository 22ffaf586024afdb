package dev.weighlock.batch.shutdown;

import java.util.Collections;
import java.util.EnumMap;
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
     * @param byPhase how many by phase, in the order of the phases
     * @param escalated whether a second request ended the joining
     */
    record Incomplete(int unjoined, Map<TaskPhase, Integer> byPhase, int panicked, boolean escalated)
            implements DrainResult {
        public Incomplete {
            var inOrder = new EnumMap<TaskPhase, Integer>(TaskPhase.class);
            inOrder.putAll(byPhase);
            byPhase = Collections.unmodifiableMap(inOrder);
            int sum = byPhase.values().stream().mapToInt(Integer::intValue).sum();
            if (sum != unjoined) {
                throw new IllegalArgumentException("the phases sum to " + sum + ", not to " + unjoined);
            }
        }
    }
}
