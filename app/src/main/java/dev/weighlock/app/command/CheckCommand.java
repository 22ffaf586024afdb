package dev.weighlock.app.command;

import dev.weighlock.app.exit.ExitCode;
import dev.weighlock.app.terminal.Json;
import dev.weighlock.app.view.Documents;
import dev.weighlock.app.view.FlowDocument;
import dev.weighlock.app.wiring.Backends;
import dev.weighlock.app.wiring.Workspace;
import dev.weighlock.jobs.check.JobFileCheck;
import dev.weighlock.jobs.file.JobFile;
import dev.weighlock.jobs.yaml.Problem;
import dev.weighlock.query.engine.StatementPlanner;
import java.nio.file.Path;
import java.util.LinkedHashMap;
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
        Workspace workspace = Workspace.of(invocation().folder(), invocation().environment(), null);
        JobFileCheck.Result result = check(workspace);
        ExitCode code = result.isSound() ? ExitCode.DONE : ExitCode.USAGE;
        if (json) {
            Json.print(terminal().out(), document(result));
            return code;
        }
        result.errors().forEach(error -> terminal().note(error.line()));
        result.warnings().forEach(warning -> terminal().note(warning.line()));
        result.file().ifPresentOrElse(job -> saySound(job, result), () -> sayProblems(result));
        return code;
    }

    private JobFileCheck.Result check(Workspace workspace) {
        try (StatementPlanner planner = Backends.openPlanner()) {
            return JobFileCheck.check(invocation().resolve(file), workspace.settings(), planner);
        }
    }

    private void saySound(JobFile job, JobFileCheck.Result result) {
        terminal().line(result.graph());
        terminal()
                .line(file + " is sound: " + job.steps().size() + (job.steps().size() == 1 ? " step" : " steps")
                        + (result.warnings().isEmpty()
                                ? ""
                                : ", " + result.warnings().size() + " warnings"));
    }

    private void sayProblems(JobFileCheck.Result result) {
        int errors = result.errors().size();
        terminal().note("wl: " + errors + (errors == 1 ? " problem" : " problems") + " in " + file);
    }

    private static Map<String, @Nullable Object> document(JobFileCheck.Result result) {
        Map<String, @Nullable Object> document = Documents.labelled("weighlock.check/1");
        document.put("sound", result.isSound());
        document.put(
                "errors", result.errors().stream().map(CheckCommand::problem).toList());
        document.put(
                "warnings",
                result.warnings().stream().map(CheckCommand::problem).toList());
        document.put("job", result.file().map(JobFile::name).orElse(null));
        document.put(
                "steps",
                result.file()
                        .map(job -> FlowDocument.of(job, result.delivery()))
                        .orElse(null));
        return document;
    }

    private static Map<String, Object> problem(Problem problem) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("severity", problem.isWarning() ? "warning" : "error");
        values.put("file", problem.file());
        values.put("line", problem.at().line());
        values.put("column", problem.at().column());
        values.put("what", problem.what());
        values.put("todo", problem.todo());
        return values;
    }
}
