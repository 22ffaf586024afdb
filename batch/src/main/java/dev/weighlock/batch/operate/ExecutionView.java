package dev.weighlock.batch.operate;

import dev.weighlock.batch.FlowDecision;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.StepExecution;
import java.util.List;

/**
 * One execution with its steps in the order begun.
 *
 * @param decisions of the instance, in the order taken
 */
public record ExecutionView(JobExecution execution, List<StepExecution> steps, List<FlowDecision> decisions) {
    public ExecutionView {
        steps = List.copyOf(steps);
        decisions = List.copyOf(decisions);
    }
}
