package dev.weighlock.app.command;

import dev.weighlock.app.exit.CommandFailure;
import dev.weighlock.app.exit.ExitCode;
import dev.weighlock.app.view.Documents;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.repository.JobRepository;
import dev.weighlock.batch.repository.StopDecision;
import java.util.OptionalLong;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "stop",
        description =
                "Asks a running execution to stop, from any terminal. Committed work stays; 'wl restart' continues.")
final class StopCommand extends RepositoryCommand {
    @Parameters(paramLabel = "ID", description = "The execution's id.")
    long id;

    StopCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected ExitCode run() throws Exception {
        return look(this::stop);
    }

    private ExitCode stop(JobRepository repository) {
        execution(repository, id);
        return switch (repository.requestStop(
                id, OptionalLong.empty(), invocation().actor())) {
            case StopDecision.Requested requested -> say(requested.execution(), isOrphan(repository, id));
            case StopDecision.AlreadyFinished finished ->
                throw new CommandFailure(
                        ExitCode.REFUSED,
                        "execution " + id + " is already "
                                + finished.execution().status() + "; nothing was changed",
                        null);
            case StopDecision.StaleVersion stale ->
                throw new CommandFailure(
                        ExitCode.CONFLICT, "execution " + stale.execution().id() + " changed meanwhile", "try again");
        };
    }

    /** The request of an execution without a process is kept: it forbids that another node restarts it by itself. */
    private ExitCode say(JobExecution execution, boolean orphan) {
        if (json) {
            printJson(Documents.execution(execution));
        } else if (!orphan) {
            terminal().line("asked execution " + id + " to stop; 'wl show " + id + "' tells when it has");
        }
        if (orphan) {
            sayOrphan(id);
        }
        return ExitCode.DONE;
    }
}
