package dev.weighlock.jobs.check;

import dev.weighlock.batch.chunk.ChunkListener;
import dev.weighlock.batch.chunk.ItemProcessor;
import dev.weighlock.batch.flow.Decider;
import dev.weighlock.batch.partition.Partitioner;
import dev.weighlock.batch.step.StepListener;
import dev.weighlock.batch.tasklet.BlockingTasklet;
import dev.weighlock.batch.tasklet.Tasklet;
import dev.weighlock.jobs.code.UserClasses;
import dev.weighlock.jobs.file.ChunkKeys;
import dev.weighlock.jobs.file.DecisionKeys;
import dev.weighlock.jobs.file.FileStep;
import dev.weighlock.jobs.file.JavaKeys;
import dev.weighlock.jobs.file.JobFile;
import dev.weighlock.jobs.file.PartitionKeys;
import dev.weighlock.jobs.file.ProcessKeys;
import dev.weighlock.jobs.file.QueryKeys;
import dev.weighlock.jobs.file.ShellKeys;
import dev.weighlock.jobs.file.SourceKeys;
import dev.weighlock.jobs.file.SplitKeys;
import dev.weighlock.jobs.yaml.Problems;
import java.util.List;

/** Every class that a job file names is there and is what it stands for. */
final class ClassRules {
    private final UserClasses classes;
    private final Problems problems;

    ClassRules(UserClasses classes, Problems problems) {
        this.classes = classes;
        this.problems = problems;
    }

    void check(JobFile job) {
        job.steps().forEach(this::check);
    }

    private void check(FileStep step) {
        Class<?>[] listeners = step.work() instanceof ChunkKeys
                ? new Class<?>[] {StepListener.class, ChunkListener.class}
                : new Class<?>[] {StepListener.class};
        step.listeners().forEach(name -> check(name, step, listeners));
        step.partition().flatMap(PartitionKeys::className).ifPresent(name -> check(name, step, Partitioner.class));
        switch (step.work()) {
            case JavaKeys java -> checkJava(java, step);
            case DecisionKeys.OfClass decision -> check(decision.className(), step, Decider.class);
            case ChunkKeys chunk -> checkChunk(chunk, step);
            case DecisionKeys.Sql _, QueryKeys _, SourceKeys _, ShellKeys _, SplitKeys _ -> {}
        }
    }

    private void checkJava(JavaKeys java, FileStep step) {
        check(java.className(), step, Tasklet.class, BlockingTasklet.class);
        if (!classes.isExactlyOnce(java.className())) {
            problems.warning(
                    step.at(),
                    "the step '%s' is a java step: its effects are at least once".formatted(step.id()),
                    "a crash or a stop in the middle runs it again; a class that can stand that says @ExactlyOnce");
        }
    }

    private void checkChunk(ChunkKeys chunk, FileStep step) {
        chunk.process().ifPresent(process -> {
            if (process instanceof ProcessKeys.OfClass(String name)) {
                check(name, step, ItemProcessor.class);
            }
        });
        chunk.retry().ifPresent(retry -> retry.on().forEach(name -> check(name, step, Throwable.class)));
        chunk.skip().ifPresent(skip -> skip.classes().forEach(name -> check(name, step, Throwable.class)));
    }

    private void check(String name, FileStep step, Class<?>... oneOf) {
        classes.problem(name, List.of(oneOf))
                .ifPresent(what -> problems.error(
                        step.at(), what, "correct its name, or add its jar to 'classpath' in weighlock.yaml"));
    }
}
