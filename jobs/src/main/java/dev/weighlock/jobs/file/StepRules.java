package dev.weighlock.jobs.file;

import dev.weighlock.jobs.csv.ColumnType;
import dev.weighlock.jobs.template.PathTemplate;
import dev.weighlock.jobs.template.Reference;
import dev.weighlock.jobs.yaml.Problems;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What must hold inside a step beyond its shape, and what is worth a warning. */
final class StepRules {
    private final Problems problems;
    private final Path folder;
    private final List<Path> writable;
    private final Map<String, String> outputOwners = new HashMap<>();

    StepRules(Problems problems, Path folder, List<Path> writable) {
        this.problems = problems;
        this.folder = folder;
        this.writable = writable;
    }

    void check(List<FileStep> steps) {
        for (FileStep step : steps) {
            switch (step.work()) {
                case QueryKeys query -> {
                    query.output().ifPresent(output -> checkOutput(step, output.path()));
                    query.engine()
                            .filter(engine -> !engine.equals("duckdb"))
                            .ifPresent(engine -> problems.error(
                                    step.at(),
                                    "'engine: %s' is not supported yet".formatted(engine),
                                    "remove it or write duckdb"));
                }
                case SourceKeys source -> {
                    checkOutput(step, source.output().path());
                    if (source.orderBy().isEmpty()) {
                        problems.warning(
                                step.at(),
                                "the step '%s' has no 'order_by'".formatted(step.id()),
                                "its rows come in the database's order, so two files can differ");
                    }
                }
                case ChunkKeys chunk -> checkChunk(step, chunk);
                case ShellKeys _ -> {
                    atLeastOnce(step, "a shell step");
                    withoutPartitions(step);
                }
                case JavaKeys _ -> {}
                case DecisionKeys _, SplitKeys _ -> checkNoStep(step);
            }
        }
    }

    private void atLeastOnce(FileStep step, String what) {
        problems.warning(
                step.at(),
                "the step '%s' is %s: its effects are at least once".formatted(step.id(), what),
                "a crash or a stop in the middle runs it again, so make that harmless");
    }

    private void withoutPartitions(FileStep step) {
        if (step.partition().isPresent()) {
            problems.error(
                    step.at(),
                    "the step '%s' cannot have 'partition'".formatted(step.id()),
                    "it goes beside query, source, chunk and java");
        }
    }

    /** Decisions and splits do no work of their own. */
    private void checkNoStep(FileStep step) {
        withoutPartitions(step);
        boolean settings = step.startLimit().isPresent()
                || step.allowStartIfComplete()
                || !step.listeners().isEmpty();
        if (settings) {
            problems.error(
                    step.at(),
                    "'%s' does no work of its own".formatted(step.id()),
                    "remove start_limit, allow_start_if_complete and listeners");
        }
    }

    private void checkChunk(FileStep step, ChunkKeys chunk) {
        if (chunk.delivery() == ChunkKeys.Delivery.AT_LEAST_ONCE) {
            problems.warning(
                    step.at(),
                    "the step '%s' says it may deliver at least once".formatted(step.id()),
                    "a crash writes its last chunk again, and its table could take rows and checkpoint in one commit");
        }
        checkProcess(step, chunk);
        if (chunk.read().schema().isEmpty()) {
            problems.warning(
                    step.at(),
                    "the step '%s' has no 'schema': its types are guessed".formatted(step.id()),
                    "declare schema: {COLUMN: TYPE}");
        }
        chunk.read().schema().forEach((column, type) -> {
            if (ColumnType.parse(type).isEmpty()) {
                problems.error(
                        step.at(),
                        "the column '%s' has the unknown type '%s'".formatted(column, type),
                        "use one of " + ColumnType.KNOWN);
            }
        });
    }

    private void checkProcess(FileStep step, ChunkKeys chunk) {
        if (chunk.process().isPresent()
                && chunk.process().get() instanceof ProcessKeys.Expressions
                && chunk.read().schema().isEmpty()) {
            problems.error(
                    step.at(),
                    "the expressions of '%s' need a 'schema'".formatted(step.id()),
                    "declare schema: {COLUMN: TYPE}");
        }
    }

    private void checkOutput(FileStep step, PathTemplate path) {
        boolean perPartition = path.references().stream()
                .anyMatch(one -> one instanceof Reference.PartitionKey || one instanceof Reference.PartitionColumn);
        if (step.partition().isPresent() && !perPartition) {
            problems.error(
                    step.at(),
                    "every partition of '%s' would write the one file %s".formatted(step.id(), path),
                    "put {partition} into the path");
        }
        String other = outputOwners.putIfAbsent(path.text(), step.id());
        if (other != null) {
            problems.warning(
                    step.at(),
                    "the steps '%s' and '%s' write the same path %s".formatted(other, step.id(), path),
                    "the later one replaces the file");
        }
        checkInside(step, path);
    }

    /** Values are single path elements, so that a placeholder shows where the file goes. */
    private void checkInside(FileStep step, PathTemplate path) {
        try {
            Path resolved = folder.resolve(path.resolve(reference -> "value"))
                    .toAbsolutePath()
                    .normalize();
            if (writable.stream().noneMatch(resolved::startsWith)) {
                problems.refusal(
                        step.at(),
                        "the output %s lies outside the folders that may be written".formatted(path),
                        "add its folder to directories: {write: [..]}");
            }
        } catch (InvalidPathException invalid) {
            problems.error(step.at(), "the output path cannot exist", "correct the path");
        }
    }
}
