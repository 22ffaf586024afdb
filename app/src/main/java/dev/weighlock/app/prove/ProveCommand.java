package dev.weighlock.app.prove;

import dev.weighlock.app.command.Invocation;
import dev.weighlock.app.command.WlCommand;
import dev.weighlock.app.exit.CommandFailure;
import dev.weighlock.app.exit.ExitCode;
import dev.weighlock.app.prove.stand.Campaign;
import dev.weighlock.app.prove.stand.Settings;
import dev.weighlock.app.terminal.Json;
import dev.weighlock.app.terminal.Signals;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "prove",
        header = "Shows on your own database, or on a temporary one, that what Weighlock promises holds there.",
        description = {
            "Runs one campaign and keeps each of its reports as a JSON file, also when it fails. Latencies are told and",
            "never judged. Rows of the campaign's own jobs are removed before and after; nothing else is touched. The",
            "settings file is not read; user and password of a PostgreSQL database come from PGUSER and PGPASSWORD.",
            "Exit code 1 when a report fails."
        })
public final class ProveCommand extends WlCommand {
    @Parameters(
            arity = "0..1",
            paramLabel = "CAMPAIGN",
            description = "Which one; 'wl prove --list' tells what there is.")
    @Nullable
    String campaign;

    @Option(names = "--list", description = "Tells what each campaign proves, what it does not, and its settings.")
    boolean list;

    @Option(
            names = "--repository",
            paramLabel = "URL",
            description =
                    "Where to run it: postgresql://HOST/DATABASE, which has its tables, or sqlite:PATH; default: a"
                            + " temporary PostgreSQL server.")
    @Nullable
    String repository;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Where the reports are kept; default: a new folder in prove.")
    @Nullable
    Path out;

    @Option(names = "--set", paramLabel = "NAME=VALUE", description = "Another value for a setting; may be repeated.")
    Map<String, String> told = new LinkedHashMap<>();

    @Option(names = "--json", description = "Prints one JSON document instead of text.")
    boolean json;

    public ProveCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected ExitCode run() throws Exception {
        if (list) {
            CampaignList campaigns = new CampaignList(campaign == null ? Campaigns.ALL : List.of(chosen(campaign)));
            if (json) {
                Json.print(terminal().out(), campaigns.document());
            } else {
                campaigns.print(terminal());
            }
            return ExitCode.DONE;
        }
        if (campaign == null) {
            throw new CommandFailure(
                    ExitCode.USAGE, "no campaign was named", "name one of " + Campaigns.names() + ", or use --list");
        }
        Campaign chosen = chosen(campaign);
        return prove(new CampaignRun(invocation(), chosen, Settings.of(chosen, told), repository, out));
    }

    private static Campaign chosen(String name) {
        return Campaigns.named(name)
                .orElseThrow(() -> new CommandFailure(
                        ExitCode.USAGE, "there is no campaign '" + name + "'", "there are " + Campaigns.names()));
    }

    /** A signal interrupts the report, which then ends in order and is kept; a second one ends the process. */
    private ExitCode prove(CampaignRun run) throws Exception {
        Thread working = Thread.currentThread();
        Signals signals = invocation().signals();
        try (Signals.Handling _ = signals.handle(which -> {
            if (which == 1) {
                terminal().note("stopping: the report ends and is kept, its rows are removed (again to end at once)");
                working.interrupt();
            } else {
                System.exit(signals.exitCode());
            }
        })) {
            boolean passed = run.run(json);
            if (signals.exitCode() != 0) {
                return ExitCode.ofSignal(signals.exitCode());
            }
            return passed ? ExitCode.DONE : ExitCode.FAILED;
        }
    }
}
