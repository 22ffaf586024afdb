package dev.weighlock.app.prove.stand;

import dev.weighlock.app.exit.CommandFailure;
import dev.weighlock.app.exit.Failures;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One report of a campaign, run to its end: whatever happens there is a document.
 *
 * @param took from its first step to the last row removed
 * @param interrupted somebody wants no further report
 */
public record ReportRun(
        Campaign campaign,
        Report report,
        Settings settings,
        Map<String, @Nullable Object> environment,
        Findings findings,
        Instant startedAt,
        Duration took,
        boolean interrupted) {
    /** @param folder exists, and is removed by the caller */
    public static ReportRun of(Campaign campaign, Report report, Target target, Settings settings, Path folder) {
        Findings findings = new Findings();
        Instant startedAt = Instant.now();
        long begun = System.nanoTime();
        boolean interrupted = false;
        Map<String, @Nullable Object> environment = Environment.of(target, findings);
        try (Stand stand = Stand.raise(target, settings, folder)) {
            findings.count("rows_of_earlier_campaigns_removed", stand.foundRows());
            report.run(stand, findings);
        } catch (InterruptedException e) {
            interrupted = true;
            findings.violation("the report was interrupted before its end");
            tellLeft(e, findings);
        } catch (Exception | Error e) {
            // A library that cannot be loaded, or a lack of memory, is a finding too.
            findings.violation(brokeOff(e));
            tellLeft(e, findings);
        }
        Duration took = Duration.ofNanos(System.nanoTime() - begun);
        return new ReportRun(campaign, report, settings, environment, findings, startedAt, took, interrupted);
    }

    /** The edge at which a report's failure ends: it is one of its findings. */
    private static String brokeOff(Throwable thrown) {
        return "the report broke off: " + said(thrown);
    }

    /** What else went wrong while everything was closed. */
    private static void tellLeft(Throwable thrown, Findings findings) {
        for (Throwable left : thrown.getSuppressed()) {
            findings.violation("something of the report may be left: " + said(left));
        }
    }

    private static String said(Throwable thrown) {
        CommandFailure failure = Failures.of(thrown);
        String remedy = failure.remedy();
        return failure.getMessage() + (remedy == null ? "" : " (" + remedy + ")");
    }

    public boolean passed() {
        return findings.passed();
    }

    public String verdict() {
        return passed() ? "PASSED" : "FAILED";
    }

    /** All of it, as it is kept. */
    public Map<String, @Nullable Object> document() {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("schema", "weighlock.prove.report/1");
        document.put("campaign", campaign.name());
        document.put("report", report.name());
        document.put("verdict", verdict());
        document.put("violations", findings.violations());
        document.put("proves", report.proves());
        document.put("proves_not", report.provesNot());
        document.put("started_at", startedAt);
        document.put("took_millis", took.toMillis());
        document.put("environment", environment);
        document.put("settings", settings.texts());
        document.put("latencies_are", "told and never judged");
        document.put("latencies", findings.latencies());
        document.put("counts", findings.counts());
        document.putAll(findings.facts());
        document.put("unexamined", findings.unexamined());
        return document;
    }
}
