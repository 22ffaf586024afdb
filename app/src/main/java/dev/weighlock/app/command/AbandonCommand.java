package dev.weighlock.app.command;

import dev.weighlock.app.exit.ExitCode;
import dev.weighlock.app.view.Documents;
import dev.weighlock.batch.operate.JobOperator;
import dev.weighlock.batch.repository.JobRepository;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "abandon",
        description = "Closes a STOPPED, FAILED or UNKNOWN execution for good: its instance is never restarted.")
final class AbandonCommand extends RepositoryCommand {
    @Parameters(paramLabel = "ID", description = "The execution's id.")
    long id;

    @Mixin
    ActOptions act = new ActOptions();

    AbandonCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected ExitCode run() throws Exception {
        return look(this::abandon);
    }

    private ExitCode abandon(JobRepository repository) {
        execution(repository, id);
        var abandoned =
                new JobOperator(repository).abandon(id, act.by(invocation().actor()));
        if (json) {
            printJson(Documents.acted(
                    "weighlock.abandon/1", Documents.execution(abandoned.value()), abandoned.changed()));
        } else if (abandoned.changed()) {
            terminal().line("execution " + id + " is ABANDONED; a new run needs other identifying parameters");
        } else {
            terminal().line("execution " + id + " is " + abandoned.value().status() + " already; nothing was changed");
        }
        return ExitCode.DONE;
    }
}
