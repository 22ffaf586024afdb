package dev.weighlock.app.command;

import dev.weighlock.app.exit.CommandFailure;
import dev.weighlock.app.exit.ExitCode;
import dev.weighlock.app.terminal.Json;
import dev.weighlock.app.wiring.Repositories;
import dev.weighlock.app.wiring.RepositoryPlace;
import dev.weighlock.app.wiring.Workspace;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.repository.JobRepository;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A command that looks into a repository or acts on what it records. */
public abstract class RepositoryCommand extends WlCommand {
    @Option(
            names = "--repository",
            paramLabel = "URL",
            description = "Where executions are recorded: sqlite:PATH or postgresql://HOST/DATABASE; default: the"
                    + " nearest .weighlock/repository.db upwards.")
    protected @Nullable String repository;

    @Option(names = "--json", description = "Prints one JSON document instead of text.")
    protected boolean json;

    protected RepositoryCommand(Invocation invocation) {
        super(invocation);
    }

    final Workspace workspace() {
        return Workspace.of(invocation().folder(), invocation().environment(), repository);
    }

    /** Looks at the repository that exists; without one nothing was ever run here. */
    final ExitCode look(Look look) throws Exception {
        Workspace workspace = workspace();
        RepositoryPlace place = workspace.repository();
        if (!place.exists()) {
            throw new CommandFailure(
                    ExitCode.NOT_FOUND,
                    "there is no repository at " + place.name() + " yet",
                    "run a job here first, or name one with --repository");
        }
        try (JobRepository opened = Repositories.open(workspace)) {
            return look.at(opened);
        }
    }

    /** What a command does with an open repository. */
    interface Look {
        ExitCode at(JobRepository repository) throws Exception;
    }

    static JobExecution execution(JobRepository repository, long id) {
        return repository
                .execution(id)
                .orElseThrow(() -> new CommandFailure(
                        ExitCode.NOT_FOUND, "there is no execution " + id, "see 'wl executions' for those that are"));
    }

    /** Whether an execution is recorded as active although the process that ran it is gone. */
    static boolean isOrphan(JobRepository repository, long id) {
        return repository.deadExecutions().stream()
                .anyMatch(dead -> dead.execution().id() == id);
    }

    final void sayOrphan(long id) {
        terminal()
                .note("the process of execution " + id + " is gone; the next 'wl run' or 'wl restart' here ends it, and"
                        + " 'wl restart " + id + "' goes on where it was");
    }

    final void printJson(Object document) {
        Json.print(terminal().out(), document);
    }
}
