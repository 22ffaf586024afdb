package dev.weighlock.batch.flow;

import dev.weighlock.batch.partition.OnFailure;
import java.util.List;

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
     * step that does not complete.
     *
     * @param workers branches at once
     */
    record SplitNode(String id, List<List<Step>> branches, int workers, OnFailure onFailure) implements FlowNode {
        public SplitNode {
            branches = branches.stream().map(List::copyOf).toList();
        }
    }
}
