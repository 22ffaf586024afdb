package dev.weighlock.app.command;

import dev.weighlock.app.exit.CommandFailure;
import dev.weighlock.app.exit.ExitCode;
import dev.weighlock.app.terminal.Table;
import dev.weighlock.app.terminal.Units;
import dev.weighlock.app.view.Documents;
import dev.weighlock.app.view.Phrases;
import dev.weighlock.app.view.QueueView;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.JobName;
import dev.weighlock.batch.repository.Page;
import dev.weighlock.batch.repository.QueuedLaunch;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "executions",
        description = "Lists executions, newest first: all, or those of one job; and the launches that wait.")
final class ExecutionsCommand extends PagedCommand {
    @Parameters(arity = "0..1", paramLabel = "JOB", description = "The job's name; without it all jobs.")
    @Nullable
    String job;

    ExecutionsCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected ExitCode run() throws Exception {
        Optional<JobName> name = Optional.ofNullable(job).map(JobName::new);
        return list(repository -> {
            Page<JobExecution> page = repository
                    .map(opened -> opened.executions(name, cursor(), limit()))
                    .orElseGet(PagedCommand::emptyPage);
            List<QueuedLaunch> waiting = after == null
                    ? repository
                            .map(opened -> opened.queuedLaunches(name, limit()))
                            .orElse(List.of())
                    : List.of();
            print(name, page, waiting);
            repository.ifPresent(opened -> opened.deadExecutions().stream()
                    .map(dead -> dead.execution().id())
                    .filter(id -> page.items().stream().anyMatch(shown -> shown.id() == id))
                    .forEach(this::sayOrphan));
        });
    }

    private void print(Optional<JobName> name, Page<JobExecution> page, List<QueuedLaunch> waiting) {
        if (name.isPresent() && after == null && page.items().isEmpty() && waiting.isEmpty()) {
            throw new CommandFailure(
                    ExitCode.NOT_FOUND, "no job '" + job + "' ran here", "see 'wl jobs' for those that did");
        }
        if (json) {
            printJson(Documents.executions(page.items(), page.next(), waiting));
            return;
        }
        if (!waiting.isEmpty()) {
            QueueView.print(terminal(), waiting, Instant.now());
            terminal().line("");
        }
        printTable(page);
        sayWhereToContinue(page.next(), "executions" + (job == null ? "" : " " + job));
    }

    private void printTable(Page<JobExecution> page) {
        Instant now = Instant.now();
        Table table = new Table("#ID", "JOB", "#ATTEMPT", "STATUS", "STARTED", "#TOOK", "PARAMETERS");
        for (JobExecution execution : page.items()) {
            table.row(
                    String.valueOf(execution.id()),
                    execution.instance().name().value(),
                    String.valueOf(execution.attempt()),
                    Phrases.status(execution),
                    Units.local(execution.createdAt()),
                    Phrases.took(Optional.of(execution.createdAt()), execution.endedAt(), now),
                    Phrases.parameters(execution.parameters()));
        }
        table.print(terminal());
    }
}
