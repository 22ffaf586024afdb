package dev.weighlock.batch.launch;

import dev.weighlock.batch.flow.FlowNode;
import dev.weighlock.batch.flow.Job;
import dev.weighlock.batch.flow.Step;
import java.util.Comparator;
import java.util.List;

/**
 * How many connections of the repository's pool a job holds at most at once: the sum over the children that run
 * together, one each and one more for a cursor, and one for whoever waits for them.
 */
final class ConnectionNeed {
    private ConnectionNeed() {}

    static int of(Job job) {
        return job.flow().nodes().stream()
                .mapToInt(node -> isParent(node) ? need(node) : need(node) + 1)
                .max()
                .orElse(1);
    }

    private static boolean isParent(FlowNode node) {
        return switch (node) {
            case FlowNode.StepNode(var step) -> step.partitioning().isPresent();
            case FlowNode.SplitNode _ -> true;
            case FlowNode.DecisionNode _ -> false;
        };
    }

    private static int need(FlowNode node) {
        return switch (node) {
            case FlowNode.StepNode(var step) -> need(step);
            case FlowNode.SplitNode split -> need(split);
            case FlowNode.DecisionNode _ -> 1;
        };
    }

    private static int need(Step step) {
        int each = step.settings().connections();
        return step.partitioning().map(by -> by.workers() * each + 1).orElse(each);
    }

    /** The hungriest branches may be the ones that run together. */
    private static int need(FlowNode.SplitNode split) {
        return split.branches().stream()
                        .map(ConnectionNeed::need)
                        .sorted(Comparator.reverseOrder())
                        .limit(split.workers())
                        .mapToInt(Integer::intValue)
                        .sum()
                + 1;
    }

    private static int need(List<FlowNode> branch) {
        return branch.stream().mapToInt(ConnectionNeed::need).max().orElse(0);
    }
}
