package dev.weighlock.batch.repository;

import java.util.List;
import java.util.Set;

/** An instance whose removal has begun, with what stands outside of the repository: logs by execution, checkpoints by definition. */
public record PurgedInstance(long instanceId, List<Long> executions, Set<String> definitions) {
    public PurgedInstance {
        executions = List.copyOf(executions);
        definitions = Set.copyOf(definitions);
    }
}
