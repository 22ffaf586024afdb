package dev.weighlock.app.wiring;

import dev.weighlock.app.exit.CommandFailure;
import dev.weighlock.app.exit.ExitCode;
import dev.weighlock.jobs.config.Configuration;
import dev.weighlock.jobs.config.ConfigurationFile;
import dev.weighlock.jobs.yaml.Problem;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a command works on: the folder it was called in, the settings that hold there, and where executions are recorded.
 *
 * @param folder absolute
 */
public record Workspace(
        Path folder, Configuration settings, RepositoryPlace repository, Map<String, String> environment) {
    /** @throws CommandFailure USAGE with every problem of the settings file */
    public static Workspace of(Path folder, Map<String, String> environment, @Nullable String repositoryOption) {
        Path here = folder.toAbsolutePath().normalize();
        Configuration settings = switch (ConfigurationFile.nearest(here)) {
            case ConfigurationFile.Read.Settings read -> read.configuration();
            case ConfigurationFile.Read.Refused refused ->
                throw new CommandFailure(
                        ExitCode.USAGE,
                        refused.problems().stream()
                                .map(Problem::line)
                                .collect(Collectors.joining(System.lineSeparator())));
        };
        return new Workspace(
                here, settings, RepositoryPlace.find(repositoryOption, environment, settings, here), environment);
    }
}
