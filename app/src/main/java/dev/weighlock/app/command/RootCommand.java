package dev.weighlock.app.command;

import dev.weighlock.app.exit.ExitCode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "wl",
        versionProvider = Version.class,
        description = {
            "Runs durable batch jobs and analytical SQL, each query inside a fixed share of memory.",
            "",
            "Begin with 'wl demo', then look at demo/revenue.yaml."
        },
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%nCommands ('wl COMMAND --help' tells more):%n")
final class RootCommand extends WlCommand {
    @Option(
            names = {"-V", "--version"},
            versionHelp = true,
            description = "Prints the version.")
    boolean version;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    CommandSpec spec;

    RootCommand(Invocation invocation) {
        super(invocation);
    }

    /** {@code wl} alone: says what there is. */
    @Override
    protected ExitCode run() {
        spec.commandLine().usage(terminal().out());
        return ExitCode.DONE;
    }
}
