package dev.weighlock.app.view;

import dev.weighlock.jobs.file.ChunkKeys;
import dev.weighlock.jobs.file.FileStep;
import dev.weighlock.jobs.file.JobFile;
import dev.weighlock.jobs.file.QueryKeys;
import dev.weighlock.jobs.file.SourceKeys;
import dev.weighlock.jobs.file.Transition;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The graph of a job file: each step with its kind and its ways on. */
public final class FlowDrawing {
    private FlowDrawing() {}

    public static List<String> lines(JobFile job) {
        List<String> lines = new ArrayList<>();
        lines.add("job " + job.name());
        for (FileStep step : job.steps()) {
            lines.add("");
            lines.add("  " + step.id() + "  (" + kind(step) + ")");
            addTransitions(lines, job.transitionsFrom(step.id()));
        }
        return lines;
    }

    private static void addTransitions(List<String> lines, List<Transition> transitions) {
        int widest = transitions.stream()
                .mapToInt(one -> one.pattern().length())
                .max()
                .orElse(0);
        for (int i = 0; i < transitions.size(); i++) {
            Transition transition = transitions.get(i);
            String branch = i == transitions.size() - 1 ? "└" : "├";
            String pattern = transition.pattern()
                    + " ".repeat(widest - transition.pattern().length());
            lines.add("    " + branch + " " + pattern + " → " + transition.target());
        }
    }

    public static List<Map<String, Object>> document(JobFile job) {
        return job.steps().stream().map(step -> step(job, step)).toList();
    }

    private static Map<String, Object> step(JobFile job, FileStep step) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("id", step.id());
        values.put("kind", kind(step));
        values.put("line", step.at().line());
        Map<String, Object> transitions = new LinkedHashMap<>();
        job.transitionsFrom(step.id()).forEach(one -> transitions.put(one.pattern(), one.target()));
        values.put("transitions", transitions);
        return values;
    }

    private static String kind(FileStep step) {
        String kind = switch (step.work()) {
            case QueryKeys _ -> "query";
            case SourceKeys _ -> "source";
            case ChunkKeys _ -> "chunk";
        };
        return step.partition().isPresent() ? kind + ", partitioned" : kind;
    }
}
