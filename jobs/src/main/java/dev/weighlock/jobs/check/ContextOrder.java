package dev.weighlock.jobs.check;

import dev.weighlock.jobs.file.FileStep;
import dev.weighlock.jobs.file.JobFile;
import dev.weighlock.jobs.file.SplitKeys;
import dev.weighlock.jobs.file.Transition;
import dev.weighlock.jobs.yaml.Problems;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a step takes from another's context must be able to be there: some way leads from that step to this one. */
final class ContextOrder {
    /** Step to those that may run right after it. */
    private final Map<String, Set<String>> next = new HashMap<>();

    private ContextOrder(JobFile job) {
        job.transitions().stream().filter(way -> !way.ends()).forEach(way -> follows(way.from(), way.target()));
        for (FileStep step : job.steps()) {
            if (step.work() instanceof SplitKeys split) {
                addBranches(job, step.id(), split);
            }
        }
    }

    static void check(JobFile job, Problems problems) {
        ContextOrder order = new ContextOrder(job);
        for (FileStep step : job.steps()) {
            for (ContextUse use : ContextUse.of(step, job.stepIds())) {
                if (!use.step().equals(step.id()) && !order.reaches(use.step(), step.id())) {
                    problems.errorIn(
                            use.file().orElse(job.source().shownName()),
                            use.at(),
                            "'%s' is what the step '%s' leaves, which never runs before '%s'"
                                    .formatted(use.shown(), use.step(), step.id()),
                            "name a step that runs earlier, or change the flow");
                }
            }
        }
    }

    private void addBranches(JobFile job, String id, SplitKeys split) {
        for (List<String> branch : split.branches()) {
            String before = id;
            for (String step : branch) {
                follows(before, step);
                before = step;
            }
            follows(before, split.join());
            for (Transition way : job.transitionsFrom(id)) {
                follows(before, way.target());
            }
        }
    }

    private void follows(String before, String after) {
        next.computeIfAbsent(before, _ -> new LinkedHashSet<>()).add(after);
    }

    private boolean reaches(String from, String to) {
        Set<String> seen = new HashSet<>();
        Deque<String> open = new ArrayDeque<>(List.of(from));
        while (!open.isEmpty()) {
            for (String step : next.getOrDefault(open.pop(), Set.of())) {
                if (step.equals(to)) {
                    return true;
                }
                if (seen.add(step)) {
                    open.push(step);
                }
            }
        }
        return false;
    }
}
