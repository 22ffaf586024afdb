package dev.weighlock.app.command;

import dev.weighlock.app.exit.ExitCode;
import dev.weighlock.app.terminal.Json;
import dev.weighlock.app.view.Documents;
import dev.weighlock.app.view.FlowDrawing;
import dev.weighlock.jobs.file.JobFile;
import dev.weighlock.jobs.file.JobFileReader;
import dev.weighlock.jobs.yaml.Problem;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "check",
        description = "Checks a job file: every problem with its line, warnings, and the graph. Runs nothing.")
final class CheckCommand extends WlCommand {
    @Parameters(paramLabel = "FILE", description = "The job file.")
    Path file = Path.of("");

    @Option(names = "--json", description = "Prints one JSON document instead of text.")
    boolean json;

    CheckCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected ExitCode run() {
        JobFileReader.Read read = JobFileReader.fromDisk(invocation().resolve(file));
        return switch (read) {
            case JobFileReader.Read.Sound sound -> sound(sound);
            case JobFileReader.Read.Refused refused -> refused(refused);
        };
    }

    private ExitCode sound(JobFileReader.Read.Sound sound) {
        JobFile job = sound.file();
        if (json) {
            Map<String, @Nullable Object> document = document(List.of(), sound.warnings());
            document.put("job", job.name());
            document.put("steps", FlowDrawing.document(job));
            Json.print(terminal().out(), document);
            return ExitCode.DONE;
        }
        sound.warnings().forEach(warning -> terminal().note(warning.line()));
        FlowDrawing.lines(job).forEach(terminal()::line);
        terminal().line("");
        terminal()
                .line(file + " is sound: " + job.steps().size() + " steps"
                        + (sound.warnings().isEmpty()
                                ? ""
                                : ", " + sound.warnings().size() + " warnings"));
        return ExitCode.DONE;
    }

    private ExitCode refused(JobFileReader.Read.Refused refused) {
        if (json) {
            Json.print(terminal().out(), document(refused.errors(), refused.warnings()));
            return ExitCode.USAGE;
        }
        refused.errors().forEach(error -> terminal().note(error.line()));
        refused.warnings().forEach(warning -> terminal().note(warning.line()));
        int errors = refused.errors().size();
        terminal().note("wl: " + errors + (errors == 1 ? " problem" : " problems") + " in " + file);
        return ExitCode.USAGE;
    }

    private static Map<String, @Nullable Object> document(List<Problem> errors, List<Problem> warnings) {
        Map<String, @Nullable Object> document = Documents.labelled("weighlock.check/1");
        document.put("sound", errors.isEmpty());
        document.put("errors", errors.stream().map(CheckCommand::problem).toList());
        document.put("warnings", warnings.stream().map(CheckCommand::problem).toList());
        return document;
    }

    private static Map<String, Object> problem(Problem problem) {
        return Map.of(
                "severity", problem.severity().name().toLowerCase(Locale.ROOT),
                "file", problem.file(),
                "line", problem.at().line(),
                "column", problem.at().column(),
                "what", problem.what(),
                "todo", problem.todo());
    }
}
