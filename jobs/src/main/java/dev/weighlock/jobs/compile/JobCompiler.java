package dev.weighlock.jobs.compile;

import dev.weighlock.batch.flow.Job;
import dev.weighlock.batch.flow.JobBuilder;
import dev.weighlock.batch.flow.Step;
import dev.weighlock.batch.flow.StepBuilder;
import dev.weighlock.batch.flow.TaskletStep;
import dev.weighlock.batch.flow.Transition;
import dev.weighlock.batch.partition.OnFailure;
import dev.weighlock.batch.partition.Partitioning;
import dev.weighlock.jobs.file.ChunkKeys;
import dev.weighlock.jobs.file.FileStep;
import dev.weighlock.jobs.file.JobFile;
import dev.weighlock.jobs.file.PartitionKeys;
import dev.weighlock.jobs.file.QueryKeys;
import dev.weighlock.jobs.file.SourceKeys;
import dev.weighlock.jobs.partition.SqlPartitioner;
import dev.weighlock.jobs.query.QueryTasklet;
import dev.weighlock.jobs.source.SourceTasklet;
import dev.weighlock.jobs.table.TableStep;

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
     */
    public Job compile(JobFile file) {
        JobBuilder builder =
                Job.named(file.name()).definition(StoredJobFiles.FORMAT, StoredJobFiles.content(file.source()));
        file.revision().ifPresent(builder::revision);
        file.description().ifPresent(builder::description);
        for (FileStep step : file.steps()) {
            builder.step(step(file, step));
            builder.flow(
                    step.id(),
                    file.transitionsFrom(step.id()).stream()
                            .map(way -> Transition.on(way.pattern(), way.target()))
                            .toArray(Transition[]::new));
        }
        return builder.build();
    }

    private Step step(JobFile file, FileStep step) {
        StepBuilder<?> builder = switch (step.work()) {
            case QueryKeys query ->
                TaskletStep.named(step.id(), new QueryTasklet(file, query, resources.queries()))
                        .kind("query");
            case SourceKeys source ->
                TaskletStep.named(
                                step.id(), new SourceTasklet(file, source, resources.queries(), resources.databases()))
                        .kind("source");
            case ChunkKeys chunk -> TableStep.of(step.id(), file, chunk, resources.databases());
        };
        builder.revision(StepRevision.of(step.work()));
        step.startLimit().ifPresent(builder::startLimit);
        builder.allowStartIfComplete(step.allowStartIfComplete());
        step.partition().ifPresent(partition -> builder.partitioned(partitioning(file, partition)));
        return builder.build();
    }

    private Partitioning partitioning(JobFile file, PartitionKeys keys) {
        Partitioning made = keys.by().isPresent()
                ? Partitioning.by(
                        StepRevision.of(keys),
                        new SqlPartitioner(file, keys.by().get(), resources.queries()))
                : Partitioning.keys(keys.keys());
        Partitioning withWorkers =
                keys.workers().isPresent() ? made.withWorkers(keys.workers().getAsInt()) : made;
        return withWorkers.withOnFailure(
                keys.onFailure() == PartitionKeys.OnFailure.CANCEL ? OnFailure.CANCEL : OnFailure.DRAIN);
    }
}
