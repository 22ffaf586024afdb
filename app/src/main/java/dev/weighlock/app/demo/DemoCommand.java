package dev.weighlock.app.demo;

import dev.weighlock.app.command.ExecutingCommand;
import dev.weighlock.app.command.Invocation;
import dev.weighlock.app.exit.CommandFailure;
import dev.weighlock.app.exit.ExitCode;
import dev.weighlock.app.view.ExecutionView;
import dev.weighlock.app.view.QueryAccount;
import dev.weighlock.app.wiring.JobSession;
import dev.weighlock.app.wiring.Workspace;
import dev.weighlock.batch.BatchStatus;
import dev.weighlock.batch.JobExecution;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "demo",
        header = "Runs a real job over generated data and shows what it did.",
        description = {
            "Shows the job's result over TPC-H data, the memory account of each query, and what to",
            "try next. Everything is in the folder demo; each demo is a new instance."
        })
public final class DemoCommand extends ExecutingCommand {
    private static final int NATIONS_SHOWN = 10;
    private static final double LEAST_SCALE = 0.001;
    private static final double MOST_SCALE = 10;
    private static final DateTimeFormatter RUN = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss-SSS", Locale.ROOT);

    @Option(
            names = "--scale",
            paramLabel = "N",
            description = "TPC-H scale factor, 0.1 by default: 600,000 order lines.")
    double scale = 0.1;

    private final Path folder;
    private String run = "";

    public DemoCommand(Invocation invocation) {
        super(invocation);
        this.folder = invocation.folder().resolve("demo");
    }

    @Override
    protected ExitCode run() throws Exception {
        if (!(scale >= LEAST_SCALE && scale <= MOST_SCALE)) {
            throw new CommandFailure(ExitCode.USAGE, "--scale is outside 0.001 to 10", "try 0.1 or 1");
        }
        DemoFolder demo = new DemoFolder(folder);
        demo.prepare(scale, terminal()::note);
        run = LocalDateTime.now(java.time.ZoneId.systemDefault()).format(RUN);
        Workspace workspace = Workspace.of(folder, invocation().environment(), repository);
        return runFile(workspace, demo.jobFile(), Map.of("run", run));
    }

    @Override
    protected void afterEnd(JobSession session, JobExecution execution) throws Exception {
        if (json) {
            return;
        }
        if (execution.status() == BatchStatus.COMPLETED) {
            showReport();
        }
        showAccounts(ExecutionView.read(session.repository(), execution, Integer.MAX_VALUE)
                .queries());
        suggest(execution.id());
    }

    private void showReport() throws Exception {
        Path report = new DemoFolder(folder).report(run);
        RevenueTable table = RevenueTable.read(report);
        terminal().line("");
        terminal()
                .line("Revenue by nation and year in millions, the first " + Math.min(NATIONS_SHOWN, table.nations())
                        + " of " + table.nations() + " (all in "
                        + invocation().folder().relativize(report) + "):");
        terminal().line("");
        table.top(NATIONS_SHOWN).print(terminal());
    }

    private void showAccounts(List<QueryAccount> accounts) {
        if (accounts.isEmpty()) {
            return;
        }
        terminal().line("");
        terminal().line("What each query waited for, was granted, used and took:");
        terminal().line("");
        QueryAccount.table(accounts).print(terminal());
    }

    private void suggest(long id) {
        String wl = launcher();
        terminal().line("");
        terminal().line("What to try next, in the folder demo (its job file revenue.yaml is yours to change):");
        terminal()
                .line("  stop it     " + wl + " run revenue.yaml -p run=mine, and Ctrl-C, or '" + wl
                        + " stop ID' from another terminal");
        terminal().line("  kill it     run it again, and 'kill -9' its process in the middle");
        terminal()
                .line("  restart it  " + wl + " run revenue.yaml -p run=mine again: committed work is not done twice");
        terminal().line("  look at it  " + wl + " show " + id + ", " + wl + " logs " + id + ", " + wl + " executions");
    }

    /** The launcher as one would call it in the demo's folder. */
    private String launcher() {
        String home = System.getProperty("weighlock.home");
        if (home == null) {
            return "wl";
        }
        Path launcher = Path.of(home).resolve("wl");
        Path relative = folder.relativize(launcher);
        return relative.getNameCount() <= 4 ? relative.toString() : launcher.toString();
    }
}
