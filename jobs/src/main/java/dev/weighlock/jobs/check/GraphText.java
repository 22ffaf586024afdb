package dev.weighlock.jobs.check;

import dev.weighlock.jobs.file.ChunkKeys;
import dev.weighlock.jobs.file.FileStep;
import dev.weighlock.jobs.file.JobFile;
import dev.weighlock.jobs.file.PartitionKeys;
import dev.weighlock.jobs.file.QueryKeys;
import dev.weighlock.jobs.file.SourceKeys;
import dev.weighlock.jobs.file.Transition;
import java.util.stream.Collectors;

/** A job's graph as lines of text: each step, what it makes, and where it leads. */
final class GraphText {
    private GraphText() {}

    static String of(JobFile job) {
        return "job " + job.name() + "\n"
                + job.steps().stream().map(step -> step(job, step)).collect(Collectors.joining());
    }

    private static String step(JobFile job, FileStep step) {
        String partition = step.partition().map(GraphText::partition).orElse("");
        String ways =
                job.transitionsFrom(step.id()).stream().map(GraphText::way).collect(Collectors.joining());
        return "  %s (%s%s)%n".formatted(step.id(), work(step), partition) + ways;
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
        };
    }

    private static String partition(PartitionKeys partition) {
        return partition.by().isPresent()
                ? ", one partition a row"
                : ", %d partitions".formatted(partition.keys().size());
    }

    private static String way(Transition way) {
        return "    %s -> %s%n".formatted(way.pattern(), way.target());
    }
}
