package dev.weighlock.jobs.compile;

import dev.weighlock.batch.tasklet.BlockingTasklets;
import dev.weighlock.jobs.code.UserClasses;
import dev.weighlock.jobs.database.Databases;
import dev.weighlock.jobs.query.Queries;
import dev.weighlock.jobs.shell.RunningPrograms;

/**
 * What a job needs of the process that runs it.
 *
 * @param classes that job files name
 * @param blocking permits of java steps that cannot be stopped
 * @param shellAllowed whether whoever started the process allowed shell steps
 * @param programs that shell steps run; whoever runs the jobs closes them with its shutdown
 */
public record JobResources(
        Queries queries,
        Databases databases,
        UserClasses classes,
        BlockingTasklets blocking,
        boolean shellAllowed,
        RunningPrograms programs) {
    private static final int BLOCKING = 64;

    /** Without classes of the user's own, and without shell steps. */
    public JobResources(Queries queries, Databases databases) {
        this(queries, databases, UserClasses.none(), new BlockingTasklets(BLOCKING), false, new RunningPrograms());
    }

    public JobResources withClasses(UserClasses found) {
        return new JobResources(queries, databases, found, blocking, shellAllowed, programs);
    }

    public JobResources withShellAllowed(boolean allowed) {
        return new JobResources(queries, databases, classes, blocking, allowed, programs);
    }
}
