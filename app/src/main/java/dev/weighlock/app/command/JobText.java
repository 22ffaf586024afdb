package dev.weighlock.app.command;

import dev.weighlock.app.exit.CommandFailure;
import dev.weighlock.app.exit.ExitCode;
import dev.weighlock.app.terminal.Terminal;
import dev.weighlock.app.wiring.JobSession;
import dev.weighlock.app.wiring.Workspace;
import dev.weighlock.batch.JobParameters;
import dev.weighlock.batch.StepName;
import dev.weighlock.batch.launch.LaunchResult;
import dev.weighlock.jobs.check.JobFileCheck;
import dev.weighlock.jobs.check.MissingInputs;
import dev.weighlock.jobs.file.JobFile;
import dev.weighlock.jobs.parameter.DeclaredParameters.Resolved;
import dev.weighlock.jobs.yaml.Problem;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** A sound job file with the parameters of one run: all that can be wrong in words was found before anything is opened. */
record JobText(JobFile file, JobParameters parameters, Set<StepName> acceptedChanges) {
    static JobText read(Path path, RunOptions options, Workspace workspace, Terminal terminal) {
        JobFileCheck.Result result = JobFileCheck.check(path, workspace.settings());
        JobFile file = result.file().orElseThrow(() -> refusal(path, result.errors()));
        result.warnings().forEach(warning -> terminal.note(warning.line()));
        JobParameters parameters = parameters(file, options);
        List<Problem> missing = MissingInputs.of(file, parameters);
        if (!missing.isEmpty()) {
            throw refusal(path, missing);
        }
        Set<StepName> accepted =
                options.acceptedChanges.stream().map(StepName::new).collect(Collectors.toUnmodifiableSet());
        return new JobText(file, parameters, accepted);
    }

    private static CommandFailure refusal(Path path, List<Problem> errors) {
        String lines = errors.stream().map(Problem::line).collect(Collectors.joining(System.lineSeparator() + "    "));
        boolean byRule = errors.stream().allMatch(error -> error.severity() == Problem.Severity.REFUSED);
        return new CommandFailure(
                        byRule ? ExitCode.REFUSED : ExitCode.USAGE,
                        lines,
                        errors.size() > 1 ? errors.size() + " problems in " + path : null)
                .at(errors.getFirst().file() + ":" + errors.getFirst().at().line());
    }

    private static JobParameters parameters(JobFile file, RunOptions options) {
        return switch (file.parameters().resolve(options.parameters(), Clock.systemUTC())) {
            case Resolved.Values values -> values.parameters();
            case Resolved.Refused refused ->
                throw new CommandFailure(
                        ExitCode.USAGE, String.join(System.lineSeparator() + "    ", refused.problems()));
        };
    }

    LaunchResult launch(JobSession session) throws Exception {
        return session.launch(file, parameters, acceptedChanges);
    }
}
