package dev.weighlock.app.command;

import dev.weighlock.app.exit.CommandFailure;
import dev.weighlock.app.exit.ExitCode;
import dev.weighlock.app.view.Documents;
import dev.weighlock.app.view.ExecutionView;
import dev.weighlock.app.view.QueueView;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.repository.JobRepository;
import dev.weighlock.batch.repository.QueuedLaunch;
import java.time.Instant;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "show",
        description =
                "Shows one execution in full: steps, flow, partitions, counts, queries with their memory, stop, failure, audit.")
final class ShowCommand extends RepositoryCommand {
    private static final int USUAL_PARTITIONS = 20;

    @Parameters(
            paramLabel = "ID",
            converter = Named.Converter.class,
            description = "The execution's id, or a launch request's such as r7.")
    Named named = new Named.Execution(0);

    @Option(names = "--all", description = "All partitions, not only the first " + USUAL_PARTITIONS + ".")
    boolean all;

    ShowCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected ExitCode run() throws Exception {
        return look(repository -> switch (named) {
            case Named.Execution(long id) -> show(repository, id);
            case Named.Request(long id) -> showRequest(repository, id);
        });
    }

    private ExitCode showRequest(JobRepository repository, long id) {
        QueuedLaunch request = repository
                .queuedLaunch(id)
                .orElseThrow(() -> new CommandFailure(
                        ExitCode.NOT_FOUND,
                        "there is no launch request r" + id,
                        "see 'wl executions' for those that wait"));
        if (json) {
            printJson(Documents.labelled("weighlock.request/1", Documents.request(request)));
            return ExitCode.DONE;
        }
        QueueView.print(terminal(), List.of(request), Instant.now());
        terminal()
                .line(
                        switch (request.state()) {
                            case WAITING ->
                                "it waits for a slot of its job; 'wl stop " + request.name() + "' cancels it";
                            case STARTED ->
                                "it became execution " + request.execution().orElse(0);
                            case CANCELLED ->
                                "cancelled by " + request.endedBy().orElse("somebody");
                        });
        return ExitCode.DONE;
    }

    private ExitCode show(JobRepository repository, long id) {
        JobExecution execution = execution(repository, id);
        ExecutionView view =
                ExecutionView.read(repository, execution, all || json ? Integer.MAX_VALUE : USUAL_PARTITIONS);
        if (json) {
            printJson(view.document());
        } else {
            view.print(terminal(), Instant.now());
        }
        if (isOrphan(repository, id)) {
            sayOrphan(id);
        }
        return ExitCode.DONE;
    }
}
