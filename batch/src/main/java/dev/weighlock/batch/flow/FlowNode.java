package dev.weighlock.batch.flow;

import dev.weighlock.batch.partition.OnFailure;
import java.util.List;
import java.util.stream.Stream;

/** A node of the flow graph. */
public sealed interface FlowNode {
    String id();

    /** A step in the main line. */
    record StepNode(Step step) implements FlowNode {
        @Override
        public String id() {
            return step.name().value();
        }
    }

    /** @param revision changes when the decision changes; part of the fingerprint */
    record DecisionNode(String id, Decider decider, String revision) implements FlowNode {}

    /**
     * Branches that run at once. Exit code COMPLETED when all of them completed, else FAILED; a branch ends at its first
     * node that does not complete.
     *
     * @param branches steps and further splits, one after the other; no decisions, which would lead nowhere
     * @param workers branches at once; one of them is the thread that came to the split
     */
    record SplitNode(String id, List<List<FlowNode>> branches, int workers, OnFailure onFailure) implements FlowNode {
        public SplitNode {
            branches = branches.stream().map(List::copyOf).toList();
        }

        /** The nodes of all branches, those of inner splits included, in the order defined. */
        public List<FlowNode> inner() {
            return branches.stream()
                    .flatMap(List::stream)
                    .flatMap(node -> node instanceof SplitNode split
                            ? Stream.concat(Stream.of(node), split.inner().stream())
                            : Stream.of(node))
                    .toList();
        }
    }
}
