package dev.weighlock.jobs.file;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** How a step is cut into partitions: by the rows of an SQL text, or by a fixed list. */
public record PartitionKeys(Optional<SqlSource> by, List<String> keys, OptionalInt workers, OnFailure onFailure) {
    /** What a failed partition means to the others. */
    public enum OnFailure {
        CANCEL,
        DRAIN
    }

    public PartitionKeys {
        keys = List.copyOf(keys);
    }
}
