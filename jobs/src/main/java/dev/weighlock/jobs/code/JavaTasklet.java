package dev.weighlock.jobs.code;

import dev.weighlock.batch.step.StepContext;
import dev.weighlock.batch.tasklet.BlockingTasklet;
import dev.weighlock.batch.tasklet.BlockingTasklets;
import dev.weighlock.batch.tasklet.Tasklet;
import dev.weighlock.batch.tasklet.TaskletOutcome;
import dev.weighlock.jobs.file.JavaKeys;
import dev.weighlock.jobs.file.JobScope;
import dev.weighlock.jobs.value.StepValues;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Runs a java step: a new object of the user's class for each step or partition attempt. */
public final class JavaTasklet implements Tasklet {
    private static final List<Class<?>> PORTS = List.of(Tasklet.class, BlockingTasklet.class);

    private final JobScope job;
    private final JavaKeys keys;
    private final UserClasses classes;
    private final BlockingTasklets blocking;

    /** @param blocking permits of bodies that cannot be stopped */
    public JavaTasklet(JobScope job, JavaKeys keys, UserClasses classes, BlockingTasklets blocking) {
        this.job = job;
        this.keys = keys;
        this.classes = classes;
        this.blocking = blocking;
    }

    @Override
    public TaskletOutcome run(StepContext context) throws Exception {
        StepValues values = new StepValues(context, job.stepIds());
        Map<String, String> with = new LinkedHashMap<>();
        keys.with().forEach((name, argument) -> with.put(name, values.argument(argument)));
        return switch (classes.create(keys.className(), PORTS, with)) {
            case Tasklet tasklet -> tasklet.run(context);
            case BlockingTasklet tasklet -> blocking.adapt(tasklet).run(context);
            case Object other -> throw new IllegalStateException(other.getClass() + " is no tasklet");
        };
    }
}
