package dev.weighlock.app.view;

import dev.weighlock.jobs.file.ChunkKeys;
import dev.weighlock.jobs.file.DecisionKeys;
import dev.weighlock.jobs.file.FileStep;
import dev.weighlock.jobs.file.JavaKeys;
import dev.weighlock.jobs.file.JobFile;
import dev.weighlock.jobs.file.QueryKeys;
import dev.weighlock.jobs.file.ShellKeys;
import dev.weighlock.jobs.file.SourceKeys;
import dev.weighlock.jobs.file.SplitKeys;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The graph of a job file for {@code --json}: each step with its kind and its ways on. */
public final class FlowDocument {
    private FlowDocument() {}

    /** @param delivery what a crash may do to each step's effects, in words */
    public static List<Map<String, Object>> of(JobFile job, Map<String, String> delivery) {
        return job.steps().stream().map(step -> step(job, step, delivery)).toList();
    }

    private static Map<String, Object> step(JobFile job, FileStep step, Map<String, String> delivery) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("id", step.id());
        values.put("kind", kind(step));
        values.put("partitioned", step.partition().isPresent());
        values.put("line", step.at().line());
        Optional.ofNullable(delivery.get(step.id())).ifPresent(text -> values.put("delivery", text));
        Map<String, Object> transitions = new LinkedHashMap<>();
        job.transitionsFrom(step.id()).forEach(one -> transitions.put(one.pattern(), one.target()));
        values.put("transitions", transitions);
        if (step.work() instanceof SplitKeys split) {
            values.put("branches", split.branches());
            values.put("join", split.join());
        }
        return values;
    }

    private static String kind(FileStep step) {
        return switch (step.work()) {
            case QueryKeys _ -> "query";
            case SourceKeys _ -> "source";
            case ChunkKeys _ -> "chunk";
            case ShellKeys _ -> "shell";
            case JavaKeys _ -> "java";
            case DecisionKeys _ -> "decision";
            case SplitKeys _ -> "split";
        };
    }
}
