package dev.weighlock.jobs.template;

import java.util.Optional;
import java.util.Set;

/** What a name in a path or an SQL text stands for. */
public sealed interface Reference {
    String PARTITION = "partition";
    String PARTITION_PREFIX = "partition_";
    String CONTEXT_MARK = "_context_";

    /** A parameter of the job. */
    record Parameter(String name) implements Reference {}

    /** The key of the partition that runs. */
    record PartitionKey() implements Reference {}

    /** A column of the row that planned the partition. */
    record PartitionColumn(String column) implements Reference {}

    /** What an earlier step left in its execution context. */
    record StepContext(String step, String key) implements Reference {}

    /** Reads a bound name of SQL: {@code partition}, {@code partition_COL}, {@code STEP_context_KEY}, or a parameter. */
    static Reference ofSqlName(String name, Set<String> stepIds) {
        if (name.equals(PARTITION)) {
            return new PartitionKey();
        }
        if (name.startsWith(PARTITION_PREFIX)) {
            return new PartitionColumn(name.substring(PARTITION_PREFIX.length()));
        }
        for (int at = name.indexOf(CONTEXT_MARK); at > 0; at = name.indexOf(CONTEXT_MARK, at + 1)) {
            if (stepIds.contains(name.substring(0, at))) {
                return new StepContext(name.substring(0, at), name.substring(at + CONTEXT_MARK.length()));
            }
        }
        return new Parameter(name);
    }

    /** Reads what stands between braces in a path; empty when it is malformed. */
    static Optional<Reference> ofPathName(String text) {
        if (text.isBlank() || !text.equals(text.strip())) {
            return Optional.empty();
        }
        if (text.equals(PARTITION)) {
            return Optional.of(new PartitionKey());
        }
        if (text.startsWith("partition.") && text.length() > 10) {
            return Optional.of(new PartitionColumn(text.substring(10)));
        }
        int context = text.indexOf(".context.");
        if (context > 0 && text.length() > context + 9) {
            return Optional.of(new StepContext(text.substring(0, context), text.substring(context + 9)));
        }
        return text.indexOf('.') < 0 ? Optional.of(new Parameter(text)) : Optional.empty();
    }

    /** The reference as the user writes it in a path. */
    default String shown() {
        return switch (this) {
            case Parameter parameter -> parameter.name();
            case PartitionKey _ -> PARTITION;
            case PartitionColumn column -> "partition." + column.column();
            case StepContext context -> context.step() + ".context." + context.key();
        };
    }
}
