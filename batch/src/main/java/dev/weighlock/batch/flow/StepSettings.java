package dev.weighlock.batch.flow;

import dev.weighlock.batch.partition.Partitioning;
import dev.weighlock.batch.step.StepListener;
import java.util.List;
import java.util.Optional;

/**
 * What every kind of step can say.
 *
 * @param startLimit the most attempts an instance allows
 * @param allowStartIfComplete whether a restart runs the step again although it is complete
 * @param connections of the repository's pool that one body holds at once: 1, and 1 more for an open cursor
 */
public record StepSettings(
        int startLimit,
        boolean allowStartIfComplete,
        List<StepListener> listeners,
        Optional<Partitioning> partitioning,
        int connections) {
    static final StepSettings DEFAULT = new StepSettings(Integer.MAX_VALUE, false, List.of(), Optional.empty(), 1);

    public StepSettings {
        listeners = List.copyOf(listeners);
    }
}
