package dev.weighlock.app.command;

import dev.weighlock.app.exit.CommandFailure;
import dev.weighlock.app.exit.ExitCode;
import dev.weighlock.app.wiring.Workspace;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "restart",
        description = "Goes on with a STOPPED or FAILED execution, by the definition stored at its launch.")
final class RestartCommand extends ExecutingCommand {
    @Parameters(paramLabel = "ID", description = "The execution's id.")
    long id;

    @Option(
            names = "--idempotency-key",
            paramLabel = "KEY",
            description = "A word of your own: a second restart with the same one is refused (5).")
    @Nullable
    String key;

    @Mixin
    ShellOption shell = new ShellOption();

    RestartCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected ExitCode run() throws Exception {
        Workspace workspace = workspace();
        if (!workspace.repository().exists()) {
            throw new CommandFailure(
                    ExitCode.NOT_FOUND,
                    "there is no execution " + id + ": nothing ran here yet (no repository at "
                            + workspace.repository().name() + ")",
                    "name another repository with --repository");
        }
        return execute(workspace, shell.allowed, false, session -> session.restart(id, Optional.ofNullable(key)));
    }
}
