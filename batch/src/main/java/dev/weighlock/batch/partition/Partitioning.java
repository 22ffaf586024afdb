package dev.weighlock.batch.partition;

import dev.weighlock.batch.ExecutionContext;
import dev.weighlock.batch.repository.PlannedPartition;
import java.util.List;
import java.util.Optional;

/**
 * How a step is cut into partitions and who works on them.
 *
 * @param revision of the planner, part of the fingerprint: its keys, or the digest of its SQL or class
 * @param workers at once, 1 to 1,024; not part of the fingerprint
 * @param handler empty for threads of this process
 */
public record Partitioning(
        Partitioner partitioner,
        String revision,
        int workers,
        OnFailure onFailure,
        Optional<PartitionHandler> handler) {
    public static final int MAX_WORKERS = 1024;
    public static final int MAX_PARTITIONS = 100_000;

    /** One worker a processor, siblings cancelled. */
    public static Partitioning by(String revision, Partitioner partitioner) {
        int workers = Math.min(Runtime.getRuntime().availableProcessors(), MAX_WORKERS);
        return new Partitioning(partitioner, revision, workers, OnFailure.CANCEL, Optional.empty());
    }

    /** One partition a key, without input. */
    public static Partitioning keys(List<String> keys) {
        var plan = keys.stream()
                .map(key -> new PlannedPartition(key, ExecutionContext.EMPTY))
                .toList();
        return by("keys:" + String.join("\n", keys), context -> plan);
    }

    public Partitioning withWorkers(int count) {
        return new Partitioning(partitioner, revision, count, onFailure, handler);
    }

    public Partitioning withOnFailure(OnFailure policy) {
        return new Partitioning(partitioner, revision, workers, policy, handler);
    }

    public Partitioning withHandler(PartitionHandler other) {
        return new Partitioning(partitioner, revision, workers, onFailure, Optional.of(other));
    }
}
