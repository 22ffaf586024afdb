package dev.weighlock.batch.flow;

import java.util.List;
import java.util.function.Function;

/**
 * A flow inside another, before it is inlined.
 *
 * @param first index of its first node among the builder's nodes
 */
record NestedFlow(String id, FlowGraph graph, int first) {
    int end() {
        return first + graph.nodes().size();
    }

    boolean holds(String node) {
        return graph.hasNode(node);
    }

    /** The inner transitions of a node, whose endings lead out. */
    List<Transition> transitions(String node, Function<String, Target> exit) {
        return graph.transitions(node).stream()
                .map(transition -> new Transition(transition.pattern(), outside(transition.target(), exit)))
                .toList();
    }

    private static Target outside(Target target, Function<String, Target> exit) {
        return switch (target) {
            case Target.To to -> to;
            case Target.End(var ending) ->
                switch (ending) {
                    case COMPLETE -> exit.apply("COMPLETED");
                    case FAIL -> exit.apply("FAILED");
                    case STOP -> Target.STOP;
                };
        };
    }
}
