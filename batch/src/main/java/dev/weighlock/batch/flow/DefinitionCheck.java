package dev.weighlock.batch.flow;

import dev.weighlock.batch.BatchException;
import dev.weighlock.batch.StepName;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Looks at everything a builder collected and finds all that is wrong before it gives up. */
final class DefinitionCheck {
    static final int MAX_NODES = 1024;
    static final int MAX_EDGES = 4096;
    private static final Set<String> ENDINGS = Set.of("COMPLETE", "FAIL", "STOP");

    private final JobBuilder builder;
    private final List<DefinitionProblem> problems = new ArrayList<>();
    private final LinkedHashMap<String, FlowNode> nodes = new LinkedHashMap<>();
    private final Map<String, List<Transition>> transitions = new LinkedHashMap<>();
    private final Set<String> stepNames = new HashSet<>();

    DefinitionCheck(JobBuilder builder) {
        this.builder = builder;
    }

    FlowGraph graph() {
        collectNodes();
        collectTransitions();
        checkLimits();
        checkTransitions();
        if (!nodes.isEmpty()) {
            new GraphCheck(nodes, transitions, this::problem).check();
        }
        if (!problems.isEmpty()) {
            throw new DefinitionException(builder.name.value(), problems);
        }
        return new FlowGraph(nodes.firstEntry().getKey(), nodes, transitions, builder.rule);
    }

    private void problem(String node, String message) {
        problems.add(new DefinitionProblem(node, message));
    }

    private void collectNodes() {
        if (builder.nodes.isEmpty()) {
            problem("", "a job needs at least one step");
        }
        for (var node : builder.nodes) {
            checkId(node.id());
            if (nodes.putIfAbsent(node.id(), node) != null) {
                problem(node.id(), "is defined twice");
            }
            switch (node) {
                case FlowNode.StepNode stepNode -> checkStep(stepNode.step());
                case FlowNode.SplitNode split -> checkSplit(split);
                case FlowNode.DecisionNode _ -> {}
            }
        }
    }

    private void checkId(String id) {
        try {
            var _ = new StepName(id);
        } catch (BatchException e) {
            problem(id, String.valueOf(e.getMessage()));
        }
        if (ENDINGS.contains(id)) {
            problem(id, "is the name of an ending and cannot be a node");
        }
    }

    private void checkStep(Step step) {
        new StepCheck(step, message -> problem(step.name().value(), message)).check();
        stepNames.add(step.name().value());
    }

    private void checkSplit(FlowNode.SplitNode split) {
        if (split.branches().size() < 2) {
            problem(split.id(), "a split needs at least two branches");
        }
        if (split.workers() < 1 || split.workers() > MAX_NODES) {
            problem(split.id(), "a split has 1 to 1024 workers, not " + split.workers());
        }
        for (var branch : split.branches()) {
            if (branch.isEmpty()) {
                problem(split.id(), "a branch has no steps");
            }
            branch.forEach(node -> checkBranchNode(split, node));
        }
    }

    private void checkBranchNode(FlowNode.SplitNode split, FlowNode node) {
        var id = node.id();
        checkId(id);
        if (!stepNames.add(id)
                || builder.nodes.stream().anyMatch(other -> other.id().equals(id))) {
            problem(split.id(), "the step \"" + id + "\" stands in a branch and somewhere else");
        }
        if (builder.explicit.containsKey(id)) {
            problem(id, "a step of a branch has no transitions: the branch goes on when it completed");
        }
        switch (node) {
            case FlowNode.StepNode(var step) -> new StepCheck(step, message -> problem(id, message)).check();
            case FlowNode.SplitNode inner -> checkSplit(inner);
            case FlowNode.DecisionNode _ -> problem(id, "a decision leads nowhere in a branch");
        }
    }

    private void collectTransitions() {
        var lines = new NodeLines(builder, nodes);
        for (var id : nodes.keySet()) {
            transitions.put(id, lines.transitions(id));
        }
        builder.nested.forEach(flow -> checkNested(flow, lines));
        builder.explicit.keySet().stream()
                .filter(id -> !nodes.containsKey(id) && !stepNames.contains(id) && !lines.isNested(id))
                .forEach(id -> problem(id, "has transitions but is not defined"));
    }

    private void checkNested(NestedFlow flow, NodeLines lines) {
        checkId(flow.id());
        if (nodes.containsKey(flow.id())) {
            problem(flow.id(), "is defined twice");
        }
        var outgoing = lines.outgoing(flow);
        builder.rule.problems(outgoing).forEach(message -> problem(flow.id(), message));
        for (var code : List.of("COMPLETED", "FAILED")) {
            if (builder.rule.choose(code, builder.rule.order(outgoing)).isEmpty()) {
                problem(flow.id(), "no transition matches the exit code \"" + code + "\" of the nested flow");
            }
        }
    }

    private void checkLimits() {
        long count = nodes.size()
                + nodes.values().stream()
                        .mapToLong(node -> node instanceof FlowNode.SplitNode split
                                ? split.inner().size()
                                : 0)
                        .sum();
        if (count > MAX_NODES) {
            problem("", "a job has at most 1024 nodes, not " + count);
        }
        long edges = transitions.values().stream().mapToLong(List::size).sum();
        if (edges > MAX_EDGES) {
            problem("", "a job has at most 4096 transitions, not " + edges);
        }
    }

    private void checkTransitions() {
        transitions.forEach((id, list) -> {
            list.forEach(transition -> checkPattern(id, transition));
            builder.rule.problems(list).forEach(message -> problem(id, message));
        });
    }

    private void checkPattern(String id, Transition transition) {
        var pattern = transition.pattern();
        if (pattern.isEmpty() || pattern.getBytes(StandardCharsets.UTF_8).length > 64) {
            problem(id, "the pattern \"" + pattern + "\" is not of 1 to 64 bytes");
        }
        if (transition.target() instanceof Target.To(var target) && !nodes.containsKey(target)) {
            problem(id, "the transition \"" + transition + "\" leads to a node that is not defined");
        }
    }
}
