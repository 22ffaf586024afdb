package dev.weighlock.app.command;

import dev.weighlock.app.exit.CommandFailure;
import dev.weighlock.app.exit.ExitCode;
import dev.weighlock.app.terminal.Terminal;
import dev.weighlock.app.wiring.JobSession;
import dev.weighlock.batch.JobParameters;
import dev.weighlock.batch.StepName;
import dev.weighlock.batch.launch.LaunchResult;
import dev.weighlock.jobs.file.JobFile;
import dev.weighlock.jobs.file.JobFileReader;
import dev.weighlock.jobs.parameter.DeclaredParameters.Resolved;
import dev.weighlock.jobs.yaml.Problem;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** A sound job file with the parameters of one run: all that can be wrong in words was found before anything is opened. */
record JobText(JobFile file, JobParameters parameters, Set<StepName> acceptedChanges) {
    static JobText read(Path path, RunOptions options, Terminal terminal) {
        JobFile file = switch (JobFileReader.fromDisk(path)) {
            case JobFileReader.Read.Sound sound -> {
                sound.warnings().forEach(warning -> terminal.note(warning.line()));
                yield sound.file();
            }
            case JobFileReader.Read.Refused refused -> throw refusal(path, refused.errors());
        };
        Set<StepName> accepted =
                options.acceptedChanges.stream().map(StepName::new).collect(Collectors.toUnmodifiableSet());
        return new JobText(file, parameters(file, options), accepted);
    }

    private static CommandFailure refusal(Path path, List<Problem> errors) {
        String lines = errors.stream().map(Problem::line).collect(Collectors.joining(System.lineSeparator() + "    "));
        return new CommandFailure(
                ExitCode.USAGE, lines, errors.size() > 1 ? errors.size() + " problems in " + path : null);
    }

    private static JobParameters parameters(JobFile file, RunOptions options) {
        return switch (file.parameters().resolve(options.parameters, Clock.systemUTC())) {
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
