package dev.weighlock.jobs.file;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** How a step is cut into partitions: by the rows of an SQL text, by a fixed list, or by a class of the user's. */
public record PartitionKeys(
        Optional<SqlSource> by,
        List<String> keys,
        Optional<String> className,
        OptionalInt workers,
        OnFailure onFailure) {
    public PartitionKeys {
        keys = List.copyOf(keys);
    }
}
