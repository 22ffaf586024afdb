package dev.weighlock.app.view;

import dev.weighlock.jobs.file.ChunkKeys;
import dev.weighlock.jobs.file.FileStep;
import dev.weighlock.jobs.file.JobFile;
import dev.weighlock.jobs.file.QueryKeys;
import dev.weighlock.jobs.file.SourceKeys;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The graph of a job file for {@code --json}: each step with its kind and its ways on. */
public final class FlowDocument {
    private FlowDocument() {}

    public static List<Map<String, Object>> of(JobFile job) {
        return job.steps().stream().map(step -> step(job, step)).toList();
    }

    private static Map<String, Object> step(JobFile job, FileStep step) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("id", step.id());
        values.put("kind", kind(step));
        values.put("partitioned", step.partition().isPresent());
        values.put("line", step.at().line());
        Map<String, Object> transitions = new LinkedHashMap<>();
        job.transitionsFrom(step.id()).forEach(one -> transitions.put(one.pattern(), one.target()));
        values.put("transitions", transitions);
        return values;
    }

    private static String kind(FileStep step) {
        return switch (step.work()) {
            case QueryKeys _ -> "query";
            case SourceKeys _ -> "source";
            case ChunkKeys _ -> "chunk";
        };
    }
}
