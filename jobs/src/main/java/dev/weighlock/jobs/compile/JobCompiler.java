package dev.weighlock.jobs.compile;

import dev.weighlock.batch.flow.FlowNode;
import dev.weighlock.batch.flow.Job;
import dev.weighlock.batch.flow.JobBuilder;
import dev.weighlock.batch.flow.Transition;
import dev.weighlock.jobs.file.DecisionKeys;
import dev.weighlock.jobs.file.FileStep;
import dev.weighlock.jobs.file.JobFile;
import dev.weighlock.jobs.file.SplitKeys;
import dev.weighlock.jobs.file.StepWork;
import java.util.List;

/** Makes a job of the batch runtime from a job file. */
public final class JobCompiler {
    private final JobResources resources;

    public JobCompiler(JobResources resources) {
        this.resources = resources;
    }

    /**
     * The job, with its stored definition.
     *
     * @throws dev.weighlock.batch.flow.DefinitionException where the batch runtime refuses the flow
     * @throws dev.weighlock.jobs.StepFailure where a class that it names is missing
     */
    public Job compile(JobFile file) {
        JobBuilder builder =
                Job.named(file.name()).definition(StoredJobFiles.FORMAT, StoredJobFiles.content(file.source()));
        file.revision().ifPresent(builder::revision);
        file.description().ifPresent(builder::description);
        builder.recovery(file.recovery());
        file.maxConcurrent().ifPresent(limit -> builder.maxConcurrent(limit.runs(), limit.otherwise()));
        StepFactory steps = new StepFactory(file.scope(), resources);
        for (FileStep step : file.mainLine()) {
            add(builder, file, step, steps);
            builder.flow(
                    step.id(),
                    file.transitionsFrom(step.id()).stream()
                            .map(way -> Transition.on(way.pattern(), way.target()))
                            .toArray(Transition[]::new));
        }
        return builder.build();
    }

    private static void add(JobBuilder builder, JobFile file, FileStep step, StepFactory steps) {
        switch (step.work()) {
            case DecisionKeys decision ->
                builder.decision(step.id(), StepRevision.of(decision), steps.decider(step.id(), decision));
            case SplitKeys split -> builder.split(split(file, step.id(), split, steps), split.join());
            case StepWork _ -> builder.step(steps.step(step));
        }
    }

    private static FlowNode.SplitNode split(JobFile file, String id, SplitKeys keys, StepFactory steps) {
        List<List<FlowNode>> branches = keys.branches().stream()
                .map(branch -> branch.stream()
                        .map(step -> node(file, file.step(step), steps))
                        .toList())
                .toList();
        return new FlowNode.SplitNode(
                id,
                branches,
                keys.workers().orElse(Runtime.getRuntime().availableProcessors()),
                StepFactory.policy(keys.onFailure()));
    }

    private static FlowNode node(JobFile file, FileStep step, StepFactory steps) {
        return step.work() instanceof SplitKeys inner
                ? split(file, step.id(), inner, steps)
                : new FlowNode.StepNode(steps.step(step));
    }
}
