package dev.weighlock.jobs.file;

import dev.weighlock.jobs.file.StepReader.Outline;
import dev.weighlock.jobs.yaml.Problems;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Every step can be reached, and none can be reached again. */
final class FlowRules {
    private final Map<String, Set<String>> next = new LinkedHashMap<>();

    private FlowRules(List<Outline> steps, List<Transition> transitions) {
        steps.forEach(step -> next.put(step.id(), new LinkedHashSet<>()));
        for (Transition transition : transitions) {
            Set<String> targets = next.get(transition.from());
            if (targets != null && !transition.ends()) {
                targets.add(transition.target());
            }
        }
    }

    static void check(List<Outline> steps, List<Transition> transitions, Problems problems) {
        if (steps.isEmpty()) {
            return;
        }
        FlowRules rules = new FlowRules(steps, transitions);
        Set<String> reached = rules.reachableFrom(steps.getFirst().id());
        for (Outline step : steps) {
            if (!reached.contains(step.id())) {
                problems.error(
                        step.at(),
                        "the step '%s' is never reached".formatted(step.id()),
                        "name it as a target in 'flow' or remove it");
            }
        }
        rules.checkCycles(transitions, problems);
    }

    private Set<String> reachableFrom(String start) {
        Set<String> reached = new HashSet<>(Set.of(start));
        Deque<String> open = new ArrayDeque<>(List.of(start));
        while (!open.isEmpty()) {
            for (String target : next.getOrDefault(open.pop(), Set.of())) {
                if (reached.add(target)) {
                    open.push(target);
                }
            }
        }
        return reached;
    }

    private void checkCycles(List<Transition> transitions, Problems problems) {
        for (Transition way : transitions) {
            boolean back = !way.ends() && reachableFrom(way.target()).contains(way.from());
            if (back) {
                problems.error(
                        way.at(),
                        "the way from '%s' to '%s' goes round in a circle".formatted(way.from(), way.target()),
                        "a job runs each step once; point it to a later step");
            }
        }
    }
}
