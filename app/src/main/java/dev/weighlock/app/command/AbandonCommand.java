package dev.weighlock.app.command;

import dev.weighlock.app.exit.ExitCode;
import dev.weighlock.app.view.Documents;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.repository.AuditEntry;
import dev.weighlock.batch.repository.JobRepository;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "abandon",
        description = "Closes a STOPPED or FAILED execution for good: its instance is never restarted.")
final class AbandonCommand extends RepositoryCommand {
    @Parameters(paramLabel = "ID", description = "The execution's id.")
    long id;

    @Option(names = "--reason", paramLabel = "TEXT", defaultValue = "", description = "Why, for the audit.")
    String reason = "";

    AbandonCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected ExitCode run() throws Exception {
        return look(this::abandon);
    }

    private ExitCode abandon(JobRepository repository) {
        JobExecution abandoned = repository.abandon(
                execution(repository, id),
                new AuditEntry("abandon", invocation().actor(), reason));
        if (json) {
            printJson(Documents.execution(abandoned));
        } else {
            terminal().line("execution " + id + " is ABANDONED; a new run needs other identifying parameters");
        }
        return ExitCode.DONE;
    }
}
