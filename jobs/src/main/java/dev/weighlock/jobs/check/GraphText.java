package dev.weighlock.jobs.check;

import dev.weighlock.jobs.file.ChunkKeys;
import dev.weighlock.jobs.file.DecisionKeys;
import dev.weighlock.jobs.file.FileStep;
import dev.weighlock.jobs.file.JavaKeys;
import dev.weighlock.jobs.file.JobFile;
import dev.weighlock.jobs.file.PartitionKeys;
import dev.weighlock.jobs.file.QueryKeys;
import dev.weighlock.jobs.file.ShellKeys;
import dev.weighlock.jobs.file.SourceKeys;
import dev.weighlock.jobs.file.SplitKeys;
import dev.weighlock.jobs.file.Transition;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A job's graph as lines of text: each step, what it makes, what a crash may do to that, and where it leads. */
final class GraphText {
    private final JobFile job;
    private final Map<String, String> delivery;

    private GraphText(JobFile job, Map<String, String> delivery) {
        this.job = job;
        this.delivery = delivery;
    }

    /** @param delivery by step, in words */
    static String of(JobFile job, Map<String, String> delivery) {
        return new GraphText(job, delivery).text();
    }

    private String text() {
        return "job " + job.name() + "\n"
                + job.mainLine().stream().map(step -> step(step, "  ")).collect(Collectors.joining());
    }

    private String step(FileStep step, String indent) {
        String partition = step.partition().map(GraphText::partition).orElse("");
        String branches = step.work() instanceof SplitKeys split ? branches(split, indent + "  ") : "";
        String ways = job.transitionsFrom(step.id()).stream()
                .map(way -> indent + way(way))
                .collect(Collectors.joining());
        return "%s%s (%s%s)%n".formatted(indent, step.id(), work(step), partition)
                + (delivery.containsKey(step.id())
                        ? "%s  delivery: %s%n".formatted(indent, delivery.get(step.id()))
                        : "")
                + branches
                + ways;
    }

    private String branches(SplitKeys split, String indent) {
        StringBuilder text = new StringBuilder();
        for (List<String> branch : split.branches()) {
            text.append(indent).append("branch%n".formatted());
            branch.forEach(id -> text.append(step(job.step(id), indent + "  ")));
        }
        return text.toString();
    }

    private static String work(FileStep step) {
        return switch (step.work()) {
            case QueryKeys query ->
                query.output().map(output -> "query -> " + output.path()).orElse("query -> record");
            case SourceKeys source ->
                "source " + source.connection() + " -> " + source.output().path();
            case ChunkKeys chunk ->
                "chunk %s -> %s.%s"
                        .formatted(
                                chunk.read().glob(),
                                chunk.write().connection(),
                                chunk.write().table());
            case ShellKeys shell -> "shell " + shell.command().getFirst();
            case JavaKeys java -> "java " + java.className();
            case DecisionKeys.Sql _ -> "decision by SQL";
            case DecisionKeys.OfClass decision -> "decision " + decision.className();
            case SplitKeys split -> "split, then " + split.join();
        };
    }

    private static String partition(PartitionKeys partition) {
        return partition
                .className()
                .map(name -> ", partitions of " + name)
                .orElseGet(() -> partition.by().isPresent()
                        ? ", one partition a row"
                        : ", %d partitions".formatted(partition.keys().size()));
    }

    private static String way(Transition way) {
        return "  %s -> %s%n".formatted(way.pattern(), way.target());
    }
}
