package dev.weighlock.app.command;

import dev.weighlock.app.exit.ExitCode;
import dev.weighlock.app.exit.Failures;
import dev.weighlock.app.terminal.Json;
import dev.weighlock.app.view.DevicesView;
import dev.weighlock.app.wiring.Backends;
import dev.weighlock.app.wiring.Workspace;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "devices",
        header = "Shows what memory queries get here, how it is worked out, and who shares it.",
        description = {
            "The figures are those of a command that would begin now: its share is half of what the machine has unclaimed,",
            "or what weighlock.yaml says. Queries that run are shown by the command that runs them (--profile, wl show)."
        })
final class DevicesCommand extends WlCommand {
    @Option(names = "--json", description = "Prints one JSON document instead of text.")
    boolean json;

    DevicesCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected ExitCode run() throws Exception {
        Workspace workspace = Workspace.of(invocation().folder(), invocation().environment(), null);
        Backends.Outlook outlook = Backends.outlook(workspace);
        DevicesView view =
                new DevicesView(outlook.profile(), workspace.settings().pools(), outlook.budget());
        if (json) {
            Json.print(terminal().out(), view.document());
        } else {
            view.print(terminal());
        }
        if (outlook.refusal() != null) {
            throw Failures.of(outlook.refusal());
        }
        return ExitCode.DONE;
    }
}
