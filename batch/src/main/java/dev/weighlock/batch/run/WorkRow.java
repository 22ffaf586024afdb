package dev.weighlock.batch.run;

import dev.weighlock.batch.ExecutionContext;
import dev.weighlock.batch.repository.ChunkProgress;
import dev.weighlock.batch.repository.EnlistedWrite;
import java.util.Optional;
import java.util.function.Supplier;

/** The stored row that a body works for: a step's or a partition's. Written by the thread that runs the body. */
sealed interface WorkRow permits StepRow, PartitionRow {
    /** As last stored. */
    ExecutionContext context();

    /** The partition's key; empty in a step without partitions. */
    Optional<String> partition();

    long stepExecutionId();

    /** {@code progress} is asked for once {@code write} is done. */
    void commitChunk(Supplier<ChunkProgress> progress, EnlistedWrite write);
}
