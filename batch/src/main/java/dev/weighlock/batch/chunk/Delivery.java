package dev.weighlock.batch.chunk;

import dev.weighlock.batch.step.StepContext;

/** How a chunk's rows and its checkpoint belong together. */
public sealed interface Delivery {
    static Delivery sameResource() {
        return new SameResource();
    }

    static Delivery file() {
        return new File();
    }

    static Delivery atLeastOnce() {
        return new AtLeastOnce();
    }

    static Delivery withTarget(TargetFactory factory) {
        return new WithTarget(factory);
    }

    /** The mode's label in fingerprints and records. */
    default String label() {
        return switch (this) {
            case SameResource _ -> "atomic_same_resource";
            case WithTarget _ -> "atomic_with_target";
            case File _ -> "file";
            case AtLeastOnce _ -> "at_least_once";
        };
    }

    /** Whether a chunk that failed leaves nothing behind. */
    default boolean undoes() {
        return !(this instanceof AtLeastOnce);
    }

    /** The rows go to the repository's own database and commit with its checkpoint. */
    record SameResource() implements Delivery {}

    /** The rows go to another resource, which keeps a checkpoint of its own in the same transaction. */
    record WithTarget(TargetFactory factory) implements Delivery {}

    /** The writer keeps a file whose length is its position: cut back to the last commit before it goes on. */
    record File() implements Delivery {}

    /** A crash between the write and the checkpoint writes the chunk again. */
    record AtLeastOnce() implements Delivery {}

    /** Opens the target for one step or partition attempt; the runtime closes it. */
    @FunctionalInterface
    interface TargetFactory {
        ChunkTarget open(StepContext context) throws Exception;
    }
}
