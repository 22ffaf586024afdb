package dev.weighlock.batch.chunk;

import java.util.List;
import java.util.Set;

/**
 * Which items may fail without failing the step.
 *
 * @param limit items skipped in all phases, over all attempts and partitions
 * @param phases none means all
 * @param on exception types, subtypes included; none means every {@link Exception}
 */
public record SkipPolicy(long limit, Set<SkipPhase> phases, List<Class<? extends Throwable>> on) {
    public static final SkipPolicy NONE = new SkipPolicy(0, Set.of(), List.of());

    public SkipPolicy {
        phases = Set.copyOf(phases);
        on = List.copyOf(on);
        if (limit < 0) {
            throw new IllegalArgumentException("a skip limit must not be negative");
        }
    }

    public static SkipPolicy of(long limit, SkipPhase... phases) {
        return new SkipPolicy(limit, Set.of(phases), List.of());
    }

    /** Whether the policy speaks of this failure; not whether a limit is reached. */
    public boolean covers(SkipPhase phase, Throwable failure) {
        return limit > 0 && (phases.isEmpty() || phases.contains(phase)) && ExceptionTypes.match(on, failure);
    }
}
