package dev.weighlock.batch.flow;

import dev.weighlock.batch.StepName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;

/** The checked graph of a job: nodes in the order defined, and where each leads. Immutable. */
public final class FlowGraph {
    private final String entry;
    private final SequencedMap<String, FlowNode> nodes;
    private final Map<String, List<Transition>> transitions;
    private final TransitionRule rule;

    FlowGraph(
            String entry,
            SequencedMap<String, FlowNode> nodes,
            Map<String, List<Transition>> transitions,
            TransitionRule rule) {
        this.entry = entry;
        this.nodes = new LinkedHashMap<>(nodes);
        this.rule = rule;
        var ordered = new LinkedHashMap<String, List<Transition>>();
        transitions.forEach((id, list) -> ordered.put(id, rule.order(list)));
        this.transitions = ordered;
    }

    /** The id of the node that runs first. */
    public String entry() {
        return entry;
    }

    /** The nodes of the main line; the steps of branches are inside their split. */
    public List<FlowNode> nodes() {
        return List.copyOf(nodes.values());
    }

    public FlowNode node(String id) {
        var node = nodes.get(id);
        if (node == null) {
            throw new IllegalArgumentException("no node \"" + id + "\" in the flow");
        }
        return node;
    }

    public boolean hasNode(String id) {
        return nodes.containsKey(id);
    }

    /** A node's transitions, the one of highest precedence first. */
    public List<Transition> transitions(String node) {
        return transitions.getOrDefault(node, List.of());
    }

    /** Where a node's exit code leads; empty when no transition matches. */
    public Optional<Target> route(String node, String exitCode) {
        return rule.choose(exitCode, transitions(node)).map(Transition::target);
    }

    /** All steps, those of branches included, in the order defined. */
    public List<Step> steps() {
        var steps = new ArrayList<Step>();
        nodes.values().forEach(node -> collect(node, steps));
        return steps;
    }

    private static void collect(FlowNode node, List<Step> into) {
        switch (node) {
            case FlowNode.StepNode stepNode -> into.add(stepNode.step());
            case FlowNode.SplitNode split ->
                split.branches().forEach(branch -> branch.forEach(inner -> collect(inner, into)));
            case FlowNode.DecisionNode _ -> {}
        }
    }

    public Optional<Step> step(StepName name) {
        return steps().stream().filter(step -> step.name().equals(name)).findFirst();
    }

    TransitionRule rule() {
        return rule;
    }
}
