package dev.weighlock.app.command;

import dev.weighlock.app.exit.ExitCode;
import dev.weighlock.app.terminal.Table;
import dev.weighlock.app.terminal.Units;
import dev.weighlock.app.view.Documents;
import dev.weighlock.app.view.Phrases;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.repository.JobSummary;
import dev.weighlock.batch.repository.Page;
import picocli.CommandLine.Command;

@Command(name = "jobs", description = "Lists the jobs that ran here, the last one first.")
final class JobsCommand extends PagedCommand {
    JobsCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected ExitCode run() throws Exception {
        return list(repository ->
                print(repository.map(opened -> opened.jobs(cursor(), limit())).orElseGet(PagedCommand::emptyPage)));
    }

    private void print(Page<JobSummary> page) {
        if (json) {
            printJson(Documents.jobs(page.items(), page.next()));
            return;
        }
        Table table = new Table("JOB", "#INSTANCES", "#EXECUTIONS", "#LAST", "STATUS", "STARTED");
        for (JobSummary job : page.items()) {
            JobExecution last = job.last();
            table.row(
                    job.job().value(),
                    Units.count(job.instances()),
                    Units.count(job.executions()),
                    String.valueOf(last.id()),
                    Phrases.status(last),
                    Units.local(last.createdAt()));
        }
        table.print(terminal());
        sayWhereToContinue(page.next(), "jobs");
    }
}
