package dev.weighlock.batch.run;

import dev.weighlock.batch.BatchError;
import dev.weighlock.batch.BatchException;
import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.FailureCategory;
import dev.weighlock.batch.FlowDecision;
import dev.weighlock.batch.StepExecution;
import dev.weighlock.batch.flow.FlowGraph;
import dev.weighlock.batch.flow.FlowNode;
import dev.weighlock.batch.flow.Step;
import dev.weighlock.batch.flow.Target;
import dev.weighlock.batch.shutdown.OwnedTask;
import dev.weighlock.batch.stop.StopToken;
import dev.weighlock.batch.testing.CrashPoint;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Walks the flow graph of one execution. A decision is stored before its target starts; what an earlier attempt
 * completed or decided is used again:
 *
 * <ul>
 *   <li>a complete step is not run again, unless it allows that;
 *   <li>a way that was taken from a failed step to another node is taken again, so a mapped failure is not replayed;
 *   <li>a decision is never made twice;
 *   <li>a way that ended the flow is looked up anew: it led nowhere.
 * </ul>
 *
 * For the job's thread.
 */
final class FlowWalk {
    private final JobRun run;
    private final FlowGraph graph;
    private final StopToken stop;
    private final OwnedTask task;
    private final Map<String, FlowDecision> earlier = new HashMap<>();
    private Optional<StepExecution> begun;

    /** @param begun the first step, where it began with the job */
    FlowWalk(JobRun run, FlowGraph graph, StopToken stop, OwnedTask task, Optional<StepExecution> begun) {
        this.run = run;
        this.graph = graph;
        this.stop = stop;
        this.task = task;
        this.begun = begun;
        if (isRestart()) {
            run.repository()
                    .decisions(run.execution().instance().id())
                    .forEach(decision -> earlier.put(decision.node(), decision));
        }
    }

    private boolean isRestart() {
        return run.execution().attempt() > 1;
    }

    JobEnd walk() {
        for (var at = graph.entry(); ; ) {
            // A step that has a row gets its end written, also when it is stopped before its body.
            if (begun.isEmpty() && stop.isStopRequested()) {
                return JobEnd.STOPPED;
            }
            var result = visit(graph.node(at));
            switch (result) {
                case NodeResult.Halted(var end) -> {
                    return end;
                }
                case NodeResult.AlreadyDecided(var target) -> at = target;
                case NodeResult.Routed routed -> {
                    var target = graph.route(at, routed.exitCode());
                    if (target.isEmpty()) {
                        return noWay(at, routed.exitCode());
                    }
                    record(at, routed.exitCode(), target.get());
                    if (target.get() instanceof Target.End(var ending)) {
                        return end(at, ending, routed);
                    }
                    at = target.get().text();
                }
            }
        }
    }

    /** An ending after a step needs no record: the complete step leads to it again. */
    private void record(String node, String exitCode, Target target) {
        if (target instanceof Target.To || graph.node(node) instanceof FlowNode.DecisionNode) {
            var decision = new FlowDecision(node, exitCode, target.text());
            run.row().call(job -> {
                run.repository().recordDecision(job, decision);
                return decision;
            });
            CrashPoint.reach("decision.recorded");
        }
    }

    private JobEnd noWay(String node, String exitCode) {
        var failure = run.diagnostics()
                .failed(
                        FailureCategory.FLOW_FAILED,
                        "no transition of \"" + node + "\" matches its exit code \"" + exitCode + "\"");
        return JobEnd.failed(failure, Optional.empty());
    }

    private JobEnd end(String node, Target.Ending ending, NodeResult.Routed routed) {
        return switch (ending) {
            case COMPLETE -> JobEnd.COMPLETED;
            case STOP -> JobEnd.STOPPED;
            case FAIL ->
                JobEnd.failed(
                        routed.failure()
                                .orElseGet(() -> run.diagnostics()
                                        .failed(
                                                FailureCategory.FLOW_FAILED,
                                                "\"" + node + "\" ended with \"" + routed.exitCode()
                                                        + "\", which leads to FAIL")),
                        routed.diagnostics());
        };
    }

    private NodeResult visit(FlowNode node) {
        return switch (node) {
            case FlowNode.StepNode(var step) -> visit(step);
            case FlowNode.DecisionNode decision -> decide(decision);
            case FlowNode.SplitNode split ->
                earlierWay(split.id())
                        .<NodeResult>map(NodeResult.AlreadyDecided::new)
                        .orElseGet(() -> new SplitRun(run, split, stop, this::visitInBranch).execute(task));
        };
    }

    private Optional<String> earlierWay(String node) {
        return Optional.ofNullable(earlier.get(node)).map(FlowDecision::target).filter(graph::hasNode);
    }

    private NodeResult decide(FlowNode.DecisionNode decision) {
        var made = earlier.get(decision.id());
        if (made != null) {
            return earlierWay(decision.id())
                    .<NodeResult>map(NodeResult.AlreadyDecided::new)
                    .orElseGet(() -> new NodeResult.Routed(made.exitCode()));
        }
        try {
            var exitCode = decision.decider().decide(new RunningContext(run, stop));
            run.secrets().refuseIn(exitCode, "the decision \"" + decision.id() + "\"");
            return new NodeResult.Routed(exitCode);
        } catch (Exception e) {
            if (StopCause.explains(stop, e)) {
                return new NodeResult.Halted(JobEnd.STOPPED);
            }
            return new NodeResult.Halted(JobEnd.failed(run.diagnostics().failed(e), Optional.empty()));
        }
    }

    private NodeResult visit(Step step) {
        var last = lastAttempt(step);
        boolean complete = last.filter(attempt -> attempt.status() == BatchStatus.COMPLETED)
                .isPresent();
        if (!step.allowStartIfComplete()) {
            var way = last.flatMap(attempt -> earlierWay(step.name().value()));
            if (complete) {
                run.tell(new ProgressEvent.StepReused(run.executionId(), last.orElseThrow()));
            }
            if (way.isPresent()) {
                return new NodeResult.AlreadyDecided(way.get());
            }
            if (complete) {
                return routed(last.orElseThrow());
            }
        }
        var rows = begun;
        begun = Optional.empty();
        return execute(new StepRun(run, step, stop, task, code -> endAfter(step, code)), rows, complete);
    }

    /** Where a listener of the job is told of its end, the step's end is there to be seen before. */
    private Optional<JobEnd> endAfter(Step step, String exitCode) {
        return run.isHeard()
                ? Optional.empty()
                : graph.route(step.name().value(), exitCode)
                        .filter(target -> target instanceof Target.End(var ending) && ending == Target.Ending.COMPLETE)
                        .map(target -> JobEnd.COMPLETED.withDiagnostics(
                                run.diagnostics().text()));
    }

    /** Inside a branch there are no transitions, so only completion counts. */
    private NodeResult visitInBranch(Step step, StopToken branchStop, OwnedTask branchTask) {
        var last = lastAttempt(step);
        boolean complete = last.filter(attempt -> attempt.status() == BatchStatus.COMPLETED)
                .isPresent();
        if (complete && !step.allowStartIfComplete()) {
            run.tell(new ProgressEvent.StepReused(run.executionId(), last.orElseThrow()));
            return routed(last.orElseThrow());
        }
        var branch = new StepRun(run, step, branchStop, branchTask, StepRun.LastStep.NOT);
        return execute(branch, Optional.empty(), complete);
    }

    private Optional<StepExecution> lastAttempt(Step step) {
        if (!isRestart()) {
            return Optional.empty();
        }
        var last = run.repository().lastStep(run.execution().instance().id(), step.name());
        last.ifPresent(attempt -> JobEntries.recall(attempt.context(), run.row()));
        return last;
    }

    private NodeResult execute(StepRun step, Optional<StepExecution> begunWithJob, boolean afresh) {
        StepExecution ended;
        try {
            ended = step.execute(begunWithJob, afresh);
        } catch (BatchException e) {
            if (e.error() != BatchError.START_LIMIT_EXCEEDED) {
                throw e;
            }
            return new NodeResult.Halted(JobEnd.failed(run.diagnostics().failed(e), Optional.empty()));
        }
        return switch (ended.status()) {
            case STOPPED -> new NodeResult.Halted(JobEnd.STOPPED);
            case UNKNOWN -> new NodeResult.Halted(JobEnd.unknown(ended.diagnostics()));
            case COMPLETED, FAILED -> routed(ended);
            case STARTING, STARTED, STOPPING, ABANDONED ->
                throw new IllegalStateException("a step does not end " + ended.status());
        };
    }

    private static NodeResult routed(StepExecution step) {
        return new NodeResult.Routed(step.exitStatus().code(), step.failure(), step.diagnostics());
    }
}
