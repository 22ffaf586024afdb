package dev.weighlock.batch.run;

import dev.weighlock.batch.ExitStatus;
import dev.weighlock.batch.flow.FlowNode;
import dev.weighlock.batch.flow.Step;
import dev.weighlock.batch.partition.OnFailure;
import dev.weighlock.batch.shutdown.OwnedTask;
import dev.weighlock.batch.shutdown.TaskPhase;
import dev.weighlock.batch.stop.StopSource;
import dev.weighlock.batch.stop.StopToken;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Runs the branches of a split at once and joins them all. The thread that came here is one of the workers. */
final class SplitRun {
    /** How a step of a branch is run. */
    @FunctionalInterface
    interface BranchStep {
        NodeResult run(Step step, StopToken stop, OwnedTask task);
    }

    private final JobRun run;
    private final FlowNode.SplitNode split;
    private final BranchStep branchStep;
    private final StopSource cancel;

    SplitRun(JobRun run, FlowNode.SplitNode split, StopToken stop, BranchStep branchStep) {
        this.run = run;
        this.split = split;
        this.branchStep = branchStep;
        this.cancel = new StopSource(stop);
    }

    NodeResult execute(OwnedTask own) {
        try (cancel) {
            var results = new Workers(run, split.workers()).map(split.branches(), own, this::branch);
            return worst(results);
        }
    }

    private NodeResult branch(List<FlowNode> nodes, OwnedTask task) {
        NodeResult result = new NodeResult.Routed(ExitStatus.COMPLETED.code());
        for (var node : nodes) {
            if (cancel.token().isStopRequested()) {
                return new NodeResult.Halted(JobEnd.STOPPED);
            }
            result = visit(node, task);
            task.enter(TaskPhase.FLOW_DECISION);
            if (severity(result) > 0) {
                cancelSiblings(result);
                return result;
            }
        }
        return result;
    }

    private NodeResult visit(FlowNode node, OwnedTask task) {
        return switch (node) {
            case FlowNode.StepNode(var step) -> branchStep.run(step, cancel.token(), task);
            case FlowNode.SplitNode inner -> new SplitRun(run, inner, cancel.token(), branchStep).execute(task);
            case FlowNode.DecisionNode _ -> throw new IllegalStateException("no decision stands in a branch");
        };
    }

    private void cancelSiblings(NodeResult result) {
        if (split.onFailure() == OnFailure.CANCEL && severity(result) >= 2) {
            cancel.stop();
        }
    }

    /** UNKNOWN over FAILED over STOPPED over completed. */
    private static int severity(NodeResult result) {
        return switch (result) {
            case NodeResult.Routed routed -> routed.failure().isPresent() ? 2 : 0;
            case NodeResult.AlreadyDecided _ -> 0;
            case NodeResult.Halted(var end) ->
                switch (end.status()) {
                    case UNKNOWN -> 3;
                    case FAILED -> 2;
                    case STARTING, STARTED, STOPPING, STOPPED, COMPLETED, ABANDONED -> 1;
                };
        };
    }

    private static NodeResult worst(List<NodeResult> results) {
        var worst = new ArrayList<>(results)
                .stream().max(Comparator.comparingInt(SplitRun::severity)).orElseThrow();
        return switch (worst) {
            case NodeResult.Halted halted -> halted;
            case NodeResult.AlreadyDecided _ -> new NodeResult.Routed(ExitStatus.COMPLETED.code());
            case NodeResult.Routed routed ->
                new NodeResult.Routed(
                        routed.failure().isPresent() ? ExitStatus.FAILED.code() : ExitStatus.COMPLETED.code(),
                        routed.failure(),
                        routed.diagnostics());
        };
    }
}
