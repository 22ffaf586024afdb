package dev.weighlock.app.prove;

import dev.weighlock.app.prove.stand.ReportRun;
import dev.weighlock.app.terminal.Style;
import dev.weighlock.app.terminal.Terminal;
import java.nio.file.Path;
import java.util.Locale;

/** A report as people read it: its verdict, what is wrong, the figures. */
record ReportSummary(ReportRun run, Path file) {
    void print(Terminal terminal) {
        terminal.line("");
        terminal.line(terminal.styled(Style.STRONG, run.report().name()) + "  "
                + terminal.styled(run.passed() ? Style.GOOD : Style.BAD, run.verdict())
                + String.format(Locale.ROOT, "  %.1f s", run.took().toMillis() / 1000.0));
        run.findings().violations().forEach(violation -> terminal.line("  violation   " + violation));
        run.findings()
                .latencies()
                .forEach((name, micros) -> terminal.line("  %-46s  %s"
                        .formatted(
                                words(name.replace("_micros", "")),
                                micros == null ? "not seen" : millis((long) micros))));
        run.findings().counts().forEach((name, number) -> terminal.line("  %-46s  %s".formatted(words(name), number)));
        run.findings()
                .unexamined()
                .forEach((what, why) -> terminal.line("  not examined  " + words(what) + ": " + why));
        terminal.line("  " + file);
    }

    private static String words(String name) {
        return name.replace('_', ' ');
    }

    private static String millis(long micros) {
        return String.format(Locale.ROOT, "%.1f ms", micros / 1000.0);
    }
}
