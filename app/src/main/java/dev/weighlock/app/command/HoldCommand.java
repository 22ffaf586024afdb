package dev.weighlock.app.command;

import dev.weighlock.app.exit.ExitCode;
import dev.weighlock.app.terminal.Units;
import dev.weighlock.app.view.Documents;
import dev.weighlock.batch.operate.Acted;
import dev.weighlock.batch.operate.JobOperator;
import dev.weighlock.batch.repository.Hold;
import dev.weighlock.batch.repository.JobRepository;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "hold",
        description = "Keeps an execution's instance as it is: neither restarted nor purged, until 'wl release'.")
final class HoldCommand extends RepositoryCommand {
    @Parameters(paramLabel = "ID", description = "The id of any execution of the instance.")
    long id;

    @Mixin
    ActOptions act = new ActOptions();

    HoldCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected ExitCode run() throws Exception {
        return look(this::hold);
    }

    private ExitCode hold(JobRepository repository) {
        execution(repository, id);
        Acted<Optional<Hold>> held =
                new JobOperator(repository).hold(id, act.by(invocation().actor()));
        if (json) {
            printJson(Documents.acted("weighlock.hold/1", Documents.hold(held.value()), held.changed()));
        } else {
            terminal().line(text(held));
        }
        return ExitCode.DONE;
    }

    private String text(Acted<Optional<Hold>> held) {
        if (held.changed()) {
            return "the instance of execution " + id + " is held; 'wl release " + id + "' ends that";
        }
        return held.value()
                .map(hold -> "held already, by " + hold.actor() + " since " + Units.local(hold.since())
                        + "; nothing was changed")
                .orElse("that was done before with this key, and released since; nothing was changed");
    }
}
