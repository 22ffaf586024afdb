package dev.weighlock.jobs.file;

import dev.weighlock.jobs.yaml.Position;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** A step as the job file gives it. */
public record FileStep(
        String id,
        Position at,
        StepWork work,
        Optional<PartitionKeys> partition,
        OptionalInt startLimit,
        boolean allowStartIfComplete,
        List<String> listeners) {
    public FileStep {
        listeners = List.copyOf(listeners);
    }
}
