package dev.weighlock.app.command;

import dev.weighlock.app.exit.CommandFailure;
import dev.weighlock.app.exit.ExitCode;
import dev.weighlock.app.view.Documents;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.operate.Acted;
import dev.weighlock.batch.operate.Instruction;
import dev.weighlock.batch.operate.JobOperator;
import dev.weighlock.batch.repository.JobRepository;
import dev.weighlock.batch.repository.QueuedLaunch;
import dev.weighlock.batch.repository.StopDecision;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "stop",
        header = "Asks a running execution to stop, or cancels a launch that waits; from any terminal.",
        description = "Committed work stays; 'wl restart' continues.")
final class StopCommand extends RepositoryCommand {
    @Parameters(
            paramLabel = "ID",
            converter = Named.Converter.class,
            description = "The execution's id, or a waiting launch's such as r7.")
    Named named = new Named.Execution(0);

    @Option(
            names = "--reason",
            paramLabel = "TEXT",
            defaultValue = "",
            description = "Why, for the audit and for who waits.")
    String reason = "";

    StopCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected ExitCode run() throws Exception {
        return look(repository -> switch (named) {
            case Named.Execution(long id) -> stop(repository, id);
            case Named.Request(long id) -> cancel(repository, id);
        });
    }

    private ExitCode stop(JobRepository repository, long id) {
        execution(repository, id);
        return switch (new JobOperator(repository)
                .stop(id, new Instruction(invocation().actor(), reason))) {
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

    private ExitCode cancel(JobRepository repository, long id) {
        Acted<QueuedLaunch> cancelled = new JobOperator(repository)
                .cancelLaunch(id, new Instruction(invocation().actor(), reason));
        if (json) {
            printJson(
                    Documents.acted("weighlock.request/1", Documents.request(cancelled.value()), cancelled.changed()));
        } else {
            terminal()
                    .line("launch request " + cancelled.value().name() + " is "
                            + (cancelled.changed() ? "cancelled" : "CANCELLED already; nothing was changed"));
        }
        return ExitCode.DONE;
    }

    /** The request of an execution without a process is kept: it forbids that another node restarts it by itself. */
    private ExitCode say(JobExecution execution, boolean orphan) {
        if (json) {
            printJson(Documents.labelled("weighlock.stop/1", Documents.execution(execution)));
        } else if (!orphan) {
            terminal()
                    .line("asked execution " + execution.id() + " to stop; 'wl show " + execution.id()
                            + "' tells when it has");
        }
        if (orphan) {
            sayOrphan(execution.id());
        }
        return ExitCode.DONE;
    }
}
