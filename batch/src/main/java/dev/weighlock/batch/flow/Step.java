package dev.weighlock.batch.flow;

import dev.weighlock.batch.StepName;
import dev.weighlock.batch.partition.Partitioning;
import dev.weighlock.batch.step.StepListener;
import java.util.List;
import java.util.Optional;

/** A step as defined: what it does, once or once a partition. Immutable; runs many times, also at once. */
public sealed interface Step permits TaskletStep, ChunkStep {
    StepName name();

    /** What it is, for people and the fingerprint: {@code tasklet}, {@code chunk}, or a kind built on them. */
    String kind();

    /** Changes when the step's work changes; part of the fingerprint. */
    String revision();

    StepSettings settings();

    default int startLimit() {
        return settings().startLimit();
    }

    default boolean allowStartIfComplete() {
        return settings().allowStartIfComplete();
    }

    default List<StepListener> listeners() {
        return settings().listeners();
    }

    default Optional<Partitioning> partitioning() {
        return settings().partitioning();
    }
}
