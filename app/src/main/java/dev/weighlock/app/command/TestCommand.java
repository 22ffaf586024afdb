package dev.weighlock.app.command;

import dev.weighlock.app.exit.CommandFailure;
import dev.weighlock.app.exit.ExitCode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Listed in the help here; the launcher runs the tests before there is a program. */
@Command(name = "test", description = "Builds everything from source and runs every test.")
final class TestCommand extends WlCommand {
    @Option(names = "--long", description = "Runs the long tests too.")
    boolean longTests;

    TestCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected ExitCode run() {
        throw new CommandFailure(
                ExitCode.USAGE, "'test' is done by the launcher", "call ./wl test in the source folder");
    }
}
