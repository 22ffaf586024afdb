package dev.weighlock.batch.flow;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.function.BiConsumer;

/** Finds nodes that no way leads to, and ways that lead back. */
final class GraphCheck {
    private final SequencedMap<String, FlowNode> nodes;
    private final Map<String, List<Transition>> transitions;
    private final BiConsumer<String, String> problem;

    GraphCheck(
            SequencedMap<String, FlowNode> nodes,
            Map<String, List<Transition>> transitions,
            BiConsumer<String, String> problem) {
        this.nodes = nodes;
        this.transitions = transitions;
        this.problem = problem;
    }

    void check() {
        var reached = reachable(nodes.firstEntry().getKey());
        nodes.keySet().stream()
                .filter(id -> !reached.contains(id))
                .forEach(id -> problem.accept(id, "no way leads here"));
        cyclic().forEach(id -> problem.accept(id, "a way from here leads back here"));
    }

    private Set<String> reachable(String entry) {
        var reached = new HashSet<String>(Set.of(entry));
        var open = new ArrayDeque<String>(List.of(entry));
        while (!open.isEmpty()) {
            successors(open.remove()).stream().filter(reached::add).forEach(open::add);
        }
        return reached;
    }

    private List<String> successors(String id) {
        return transitions.getOrDefault(id, List.of()).stream()
                .map(Transition::target)
                .filter(Target.To.class::isInstance)
                .map(target -> ((Target.To) target).node())
                .filter(nodes::containsKey)
                .distinct()
                .toList();
    }

    /** What is left when nodes without unvisited predecessors or successors are taken away again and again. */
    private Set<String> cyclic() {
        var left = new LinkedHashSet<>(nodes.keySet());
        trim(left, true);
        trim(left, false);
        return left;
    }

    private void trim(Set<String> left, boolean forwards) {
        while (true) {
            var degrees = new HashMap<String, Integer>();
            for (var id : left) {
                successors(id).stream()
                        .filter(left::contains)
                        .forEach(next -> degrees.merge(forwards ? next : id, 1, Integer::sum));
            }
            if (!left.removeIf(id -> !degrees.containsKey(id))) {
                return;
            }
        }
    }
}
