package dev.weighlock.app.command;

import dev.weighlock.app.exit.ExitCode;
import dev.weighlock.app.view.Documents;
import dev.weighlock.batch.operate.JobOperator;
import dev.weighlock.batch.repository.JobRepository;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(name = "release", description = "Ends a hold: the instance may be restarted and purged again.")
final class ReleaseCommand extends RepositoryCommand {
    @Parameters(paramLabel = "ID", description = "The id of any execution of the instance.")
    long id;

    @Mixin
    ActOptions act = new ActOptions();

    ReleaseCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected ExitCode run() throws Exception {
        return look(this::release);
    }

    private ExitCode release(JobRepository repository) {
        execution(repository, id);
        var released =
                new JobOperator(repository).release(id, act.by(invocation().actor()));
        if (json) {
            printJson(
                    Documents.acted("weighlock.release/1", Documents.execution(released.value()), released.changed()));
        } else {
            terminal()
                    .line(
                            released.changed()
                                    ? "the instance of execution " + id + " is released"
                                    : "the instance of execution " + id + " is not held; nothing was changed");
        }
        return ExitCode.DONE;
    }
}
