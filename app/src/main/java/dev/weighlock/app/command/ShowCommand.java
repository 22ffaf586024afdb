package dev.weighlock.app.command;

import dev.weighlock.app.exit.ExitCode;
import dev.weighlock.app.view.ExecutionView;
import dev.weighlock.batch.JobExecution;
import dev.weighlock.batch.repository.JobRepository;
import java.time.Instant;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "show",
        description =
                "Shows one execution in full: steps, partitions, counts, queries with their memory, stop, failure.")
final class ShowCommand extends RepositoryCommand {
    private static final int USUAL_PARTITIONS = 20;

    @Parameters(paramLabel = "ID", description = "The execution's id.")
    long id;

    @Option(names = "--all", description = "All partitions, not only the first " + USUAL_PARTITIONS + ".")
    boolean all;

    ShowCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected ExitCode run() throws Exception {
        return look(this::show);
    }

    private ExitCode show(JobRepository repository) {
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
