package dev.weighlock.app.command;

import dev.weighlock.app.doctor.Doctor;
import dev.weighlock.app.doctor.Finding;
import dev.weighlock.app.exit.ExitCode;
import dev.weighlock.app.terminal.Style;
import dev.weighlock.app.view.Documents;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;

@Command(
        name = "doctor",
        header = "Looks at everything that wl needs here, and says what to do about what is wrong.",
        description = "Changes nothing. Exit code 1 when something is a problem, 0 otherwise.")
final class DoctorCommand extends RepositoryCommand {
    DoctorCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected ExitCode run() {
        List<Finding> findings = Doctor.examine(this::workspace);
        if (json) {
            printJson(document(findings));
        } else {
            findings.forEach(this::print);
        }
        return findings.stream().anyMatch(one -> one.level() == Finding.Level.PROBLEM)
                ? ExitCode.FAILED
                : ExitCode.DONE;
    }

    private void print(Finding finding) {
        String level = "%-7s".formatted(finding.level().word());
        String styled = switch (finding.level()) {
            case OK -> level;
            case WARNING -> terminal().styled(Style.STRONG, level);
            case PROBLEM -> terminal().styled(Style.ofStatus("FAILED"), level);
        };
        terminal().line(styled + "  %-12s  %s".formatted(finding.subject(), finding.what()));
        String todo = finding.todo();
        if (todo != null) {
            terminal().line("         %-12s  -> %s".formatted("", todo));
        }
    }

    private static Object document(List<Finding> findings) {
        Map<String, @Nullable Object> document = Documents.labelled("weighlock.doctor/1");
        document.put("healthy", findings.stream().noneMatch(finding -> finding.level() == Finding.Level.PROBLEM));
        document.put(
                "findings",
                findings.stream()
                        .map(finding -> {
                            Map<String, @Nullable Object> values = new LinkedHashMap<>();
                            values.put("level", finding.level().name().toLowerCase(Locale.ROOT));
                            values.put("subject", finding.subject());
                            values.put("what", finding.what());
                            values.put("todo", finding.todo());
                            return values;
                        })
                        .toList());
        return document;
    }
}
