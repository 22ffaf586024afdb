package dev.weighlock.batch.flow;

import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;

/** Where each node of a builder leads: as said, else in the order given, with nested flows in their places. */
final class NodeLines {
    private final JobBuilder builder;
    private final List<String> order;

    NodeLines(JobBuilder builder, SequencedMap<String, FlowNode> nodes) {
        this.builder = builder;
        this.order = List.copyOf(nodes.keySet());
    }

    boolean isNested(String id) {
        return builder.nested.stream().anyMatch(flow -> flow.id().equals(id));
    }

    List<Transition> transitions(String id) {
        var own = builder.explicit.get(id);
        if (own != null) {
            return own.stream().map(this::entering).toList();
        }
        return owner(id)
                .map(flow -> flow.transitions(id, code -> exit(flow, code)))
                .orElseGet(() -> usual(next(id, order.indexOf(id) + 1)));
    }

    private Optional<NestedFlow> owner(String node) {
        return builder.nested.stream().filter(flow -> flow.holds(node)).findFirst();
    }

    /** A nested flow's own transitions. */
    List<Transition> outgoing(NestedFlow flow) {
        var own = builder.explicit.get(flow.id());
        return own == null
                ? usual(next(flow.id(), flow.end()))
                : own.stream().map(this::entering).toList();
    }

    private Target exit(NestedFlow flow, String code) {
        return builder.rule
                .choose(code, builder.rule.order(outgoing(flow)))
                .map(Transition::target)
                .orElse(Target.FAIL);
    }

    private static List<Transition> usual(Target next) {
        return List.of(new Transition("FAILED", Target.FAIL), new Transition("*", next));
    }

    private Target next(String id, int index) {
        var join = builder.joins.get(id);
        if (join != null) {
            return entering(Target.parse(join));
        }
        return index < order.size() ? new Target.To(order.get(index)) : Target.COMPLETE;
    }

    private Transition entering(Transition transition) {
        return new Transition(transition.pattern(), entering(transition.target()));
    }

    /** The id of a nested flow stands for its first node. */
    private Target entering(Target target) {
        return builder.nested.stream()
                .filter(flow -> target.equals(new Target.To(flow.id())))
                .findFirst()
                .<Target>map(flow -> new Target.To(flow.graph().entry()))
                .orElse(target);
    }
}
