package dev.weighlock.app.prove;

import dev.weighlock.app.command.Invocation;
import dev.weighlock.app.exit.CommandFailure;
import dev.weighlock.app.exit.ExitCode;
import dev.weighlock.app.prove.stand.Campaign;
import dev.weighlock.app.prove.stand.CampaignFolder;
import dev.weighlock.app.prove.stand.Report;
import dev.weighlock.app.prove.stand.ReportRun;
import dev.weighlock.app.prove.stand.Settings;
import dev.weighlock.app.prove.stand.Stand;
import dev.weighlock.app.prove.stand.Target;
import dev.weighlock.app.prove.stand.Targets;
import dev.weighlock.app.terminal.Json;
import dev.weighlock.app.terminal.Terminal;
import dev.weighlock.app.view.Documents;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One campaign from its database to its last report. For one thread. */
final class CampaignRun {
    private static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT);

    private final Terminal terminal;
    private final Invocation invocation;
    private final Campaign campaign;
    private final Settings settings;
    private final List<Report> reports;
    private final @Nullable String repository;
    private final Path out;

    CampaignRun(
            Invocation invocation,
            Campaign campaign,
            Settings settings,
            @Nullable String repository,
            @Nullable Path out) {
        this.terminal = invocation.terminal();
        this.invocation = invocation;
        this.campaign = campaign;
        this.settings = settings;
        this.reports = campaign.reports(settings);
        this.repository = repository;
        this.out = out != null
                ? invocation.resolve(out)
                : invocation.resolve(Path.of(
                        "prove",
                        campaign.name() + "-"
                                + LocalDateTime.now(ZoneId.systemDefault()).format(STAMP)));
    }

    /** Whether every report passed; one that was interrupted is the last, and those after it did not. */
    boolean run(boolean json) throws IOException, SQLException {
        requireNoReports();
        makeFolder();
        List<ReportRun> runs = new ArrayList<>();
        try (CampaignFolder folder = CampaignFolder.in(Path.of(System.getProperty("java.io.tmpdir")));
                Target target = target(folder.path());
                Target.Turn _ = Stand.begin(target)) {
            if (!json) {
                terminal.line(campaign.name() + " on " + target.url() + (target.temporary() ? " (temporary)" : ""));
            }
            for (Report report : reports) {
                ReportRun run = ReportRun.of(campaign, report, target, settings, folder.path());
                runs.add(run);
                // Where the interrupt came after the report's end, its file is written all the same.
                boolean enough = Thread.interrupted() || run.interrupted();
                keep(run);
                if (!json) {
                    new ReportSummary(run, file(report)).print(terminal);
                }
                if (enough) {
                    break;
                }
            }
        }
        boolean passed = runs.size() == reports.size() && runs.stream().allMatch(ReportRun::passed);
        if (json) {
            Json.print(terminal.out(), document(runs, passed));
        } else {
            terminal.line(campaign.name() + " " + (passed ? "PASSED" : "FAILED") + ": "
                    + runs.stream().filter(ReportRun::passed).count() + " of "
                    + reports.size() + " reports passed; they are in " + out);
        }
        return passed;
    }

    /** Evidence is not written over. */
    private void requireNoReports() {
        for (Report report : reports) {
            if (Files.exists(file(report))) {
                throw new CommandFailure(
                        ExitCode.USAGE,
                        "there is a report already: " + file(report),
                        "name another folder with --out, or remove it");
            }
        }
    }

    private void makeFolder() {
        try {
            Files.createDirectories(out);
        } catch (IOException e) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    "the folder for reports cannot be made: " + out
                            + (Files.exists(out)
                                    ? " is a file"
                                    : " (" + e.getClass().getSimpleName() + ")"),
                    "name another folder with --out",
                    e);
        }
    }

    private Target target(Path folder) {
        if (repository != null) {
            return Targets.named(repository, invocation.environment(), invocation.folder(), folder);
        }
        terminal.note("starting a temporary PostgreSQL server");
        return Targets.temporary(folder);
    }

    private Path file(Report report) {
        return out.resolve(campaign.name() + "-" + report.name() + ".json");
    }

    private void keep(ReportRun run) throws IOException {
        Files.writeString(file(run.report()), Json.pretty(run.document()) + "\n", StandardCharsets.UTF_8);
    }

    private Map<String, @Nullable Object> document(List<ReportRun> runs, boolean passed) {
        Map<String, @Nullable Object> document = Documents.labelled("weighlock.prove/1");
        document.put("campaign", campaign.name());
        document.put("verdict", passed ? "PASSED" : "FAILED");
        document.put("out", out.toString());
        document.put("reports_asked_for", reports.stream().map(Report::name).toList());
        document.put("reports", runs.stream().map(ReportRun::document).toList());
        return document;
    }
}
