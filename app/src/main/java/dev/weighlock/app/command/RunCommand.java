package dev.weighlock.app.command;

import dev.weighlock.app.exit.ExitCode;
import dev.weighlock.app.wiring.Workspace;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "run",
        header = "Runs a job file, or goes on where it was stopped.",
        description = {
            "Ctrl-C stops it cleanly, a second one ends it at once; the same command then goes on",
            "where it was. A complete instance is refused (5)."
        })
final class RunCommand extends ExecutingCommand {
    @Parameters(paramLabel = "FILE", description = "The job file.")
    Path file = Path.of("");

    @Mixin
    RunOptions options = new RunOptions();

    RunCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected ExitCode run() throws Exception {
        Workspace workspace = workspace();
        JobText job = JobText.read(invocation().resolve(file), options, workspace, terminal());
        return execute(workspace, options.shell.allowed, options.ifNotComplete, job::launch);
    }
}
