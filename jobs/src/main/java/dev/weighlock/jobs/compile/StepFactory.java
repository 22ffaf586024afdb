package dev.weighlock.jobs.compile;

import dev.weighlock.batch.chunk.ChunkListener;
import dev.weighlock.batch.flow.ChunkStep;
import dev.weighlock.batch.flow.Decider;
import dev.weighlock.batch.flow.Step;
import dev.weighlock.batch.flow.StepBuilder;
import dev.weighlock.batch.flow.TaskletStep;
import dev.weighlock.batch.partition.OnFailure;
import dev.weighlock.batch.partition.Partitioner;
import dev.weighlock.batch.partition.Partitioning;
import dev.weighlock.batch.step.StepListener;
import dev.weighlock.batch.tasklet.Tasklet;
import dev.weighlock.jobs.code.JavaTasklet;
import dev.weighlock.jobs.csv.CsvRow;
import dev.weighlock.jobs.decision.SqlDecider;
import dev.weighlock.jobs.file.ChunkKeys;
import dev.weighlock.jobs.file.DecisionKeys;
import dev.weighlock.jobs.file.FileStep;
import dev.weighlock.jobs.file.JavaKeys;
import dev.weighlock.jobs.file.JobScope;
import dev.weighlock.jobs.file.PartitionKeys;
import dev.weighlock.jobs.file.QueryKeys;
import dev.weighlock.jobs.file.ShellKeys;
import dev.weighlock.jobs.file.SourceKeys;
import dev.weighlock.jobs.file.SplitKeys;
import dev.weighlock.jobs.file.StepWork;
import dev.weighlock.jobs.partition.SqlPartitioner;
import dev.weighlock.jobs.query.QueryTasklet;
import dev.weighlock.jobs.shell.ShellTasklet;
import dev.weighlock.jobs.source.SourceTasklet;
import dev.weighlock.jobs.table.TableStep;
import java.util.List;

/** Makes the steps of one job from their keys: the one way from keys to steps, whoever wrote the keys. */
final class StepFactory {
    private final JobScope job;
    private final JobResources resources;

    StepFactory(JobScope job, JobResources resources) {
        this.job = job;
        this.resources = resources;
    }

    Step step(FileStep step) {
        return step.work() instanceof ChunkKeys chunk ? chunk(step, chunk) : tasklet(step);
    }

    private Step chunk(FileStep step, ChunkKeys keys) {
        ChunkStep.Builder<CsvRow, CsvRow> builder = new TableStep(
                        job, keys, resources.databases(), resources.queries(), resources.classes())
                .named(step.id());
        for (Object listener : listeners(step, List.of(StepListener.class, ChunkListener.class))) {
            if (listener instanceof ChunkListener ofChunks) {
                builder.chunkListener(ofChunks);
            }
            if (listener instanceof StepListener ofSteps) {
                builder.listener(ofSteps);
            }
        }
        settings(builder, step);
        return builder.build();
    }

    private Step tasklet(FileStep step) {
        TaskletStep.Builder builder =
                TaskletStep.named(step.id(), body(step.work())).kind(kind(step.work()));
        listeners(step, List.of(StepListener.class)).forEach(one -> builder.listener((StepListener) one));
        settings(builder, step);
        return builder.build();
    }

    private List<Object> listeners(FileStep step, List<Class<?>> oneOf) {
        return step.listeners().stream()
                .map(name -> resources.classes().create(name, oneOf, java.util.Map.of()))
                .toList();
    }

    private void settings(StepBuilder<?> builder, FileStep step) {
        builder.revision(StepRevision.of(step.work()));
        step.startLimit().ifPresent(builder::startLimit);
        builder.allowStartIfComplete(step.allowStartIfComplete());
        step.partition().ifPresent(keys -> builder.partitioned(partitioning(keys)));
    }

    private Tasklet body(StepWork work) {
        return switch (work) {
            case QueryKeys query -> new QueryTasklet(job, query, resources.queries());
            case SourceKeys source -> new SourceTasklet(job, source, resources.queries(), resources.databases());
            case ShellKeys shell -> new ShellTasklet(job, shell, resources.shellAllowed(), resources.programs());
            case JavaKeys java -> new JavaTasklet(job, java, resources.classes(), resources.blocking());
            case ChunkKeys _, DecisionKeys _, SplitKeys _ ->
                throw new IllegalArgumentException(
                        "no tasklet: " + work.getClass().getSimpleName());
        };
    }

    private static String kind(StepWork work) {
        return switch (work) {
            case QueryKeys _ -> "query";
            case SourceKeys _ -> "source";
            case ChunkKeys _ -> "chunk";
            case ShellKeys _ -> "shell";
            case JavaKeys _ -> "java";
            case DecisionKeys _ -> "decision";
            case SplitKeys _ -> "split";
        };
    }

    Decider decider(String id, DecisionKeys keys) {
        return switch (keys) {
            case DecisionKeys.Sql(var sql) -> new SqlDecider(id, job, sql, resources.queries());
            case DecisionKeys.OfClass(String name) ->
                context -> resources.classes().create(name, Decider.class).decide(context);
        };
    }

    private Partitioning partitioning(PartitionKeys keys) {
        Partitioning made = planned(keys);
        Partitioning withWorkers =
                keys.workers().isPresent() ? made.withWorkers(keys.workers().getAsInt()) : made;
        return withWorkers.withOnFailure(policy(keys.onFailure()));
    }

    private Partitioning planned(PartitionKeys keys) {
        if (keys.by().isPresent()) {
            return Partitioning.by(
                    StepRevision.of(keys), new SqlPartitioner(job, keys.by().get(), resources.queries()));
        }
        return keys.className()
                .map(name -> Partitioning.by(
                        StepRevision.of(keys),
                        context -> resources
                                .classes()
                                .create(name, Partitioner.class)
                                .plan(context)))
                .orElseGet(() -> Partitioning.keys(keys.keys()));
    }

    static OnFailure policy(dev.weighlock.jobs.file.OnFailure policy) {
        return switch (policy) {
            case CANCEL -> OnFailure.CANCEL;
            case DRAIN -> OnFailure.DRAIN;
        };
    }
}
