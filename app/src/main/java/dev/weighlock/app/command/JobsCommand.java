package dev.weighlock.app.command;

import dev.weighlock.app.exit.ExitCode;
import dev.weighlock.app.terminal.Table;
import dev.weighlock.app.terminal.Units;
import dev.weighlock.app.view.Documents;
import dev.weighlock.app.view.Phrases;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.repository.JobSummary;
import dev.weighlock.batch.repository.Page;
import dev.weighlock.batch.repository.QueuedLaunch;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;

@Command(name = "jobs", description = "Lists the jobs that ran here, the last one first.")
final class JobsCommand extends PagedCommand {
    private static final int MOST_WAITING = 1_000;

    JobsCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected ExitCode run() throws Exception {
        return list(repository -> print(
                repository.map(opened -> opened.jobs(cursor(), limit())).orElseGet(PagedCommand::emptyPage),
                repository
                        .map(opened -> opened.queuedLaunches(Optional.empty(), MOST_WAITING))
                        .orElse(List.of())));
    }

    private void print(Page<JobSummary> page, List<QueuedLaunch> waiting) {
        if (json) {
            printJson(Documents.jobs(page.items(), page.next(), waiting));
            return;
        }
        Table table = new Table("JOB", "#INSTANCES", "#EXECUTIONS", "#WAITING", "#LAST", "STATUS", "STARTED");
        for (JobSummary job : page.items()) {
            JobExecution last = job.last();
            table.row(
                    job.job().value(),
                    Units.count(job.instances()),
                    Units.count(job.executions()),
                    Units.count(waiting.stream()
                            .filter(request -> request.job().equals(job.job()))
                            .count()),
                    String.valueOf(last.id()),
                    Phrases.status(last),
                    Units.local(last.createdAt()));
        }
        table.print(terminal());
        sayWhereToContinue(page.next(), "jobs");
    }
}
