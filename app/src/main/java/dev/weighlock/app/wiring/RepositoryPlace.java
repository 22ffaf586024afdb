package dev.weighlock.app.wiring;

import dev.weighlock.app.exit.CommandFailure;
import dev.weighlock.app.exit.ExitCode;
import dev.weighlock.jobs.config.Configuration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where executions are recorded: a SQLite file, and beside it the state folder with logs and spilled data.
 *
 * @param file of the repository; need not exist yet
 * @param origin who said so, for people
 */
public record RepositoryPlace(Path file, String origin) {
    static final String STATE_FOLDER = ".weighlock";
    static final String FILE = "repository.db";
    static final String VARIABLE = "WEIGHLOCK_REPOSITORY";
    private static final String SCHEME = "sqlite:";

    /** The place that holds: option, then environment, then settings file, then the nearest one upwards, then a new one. */
    public static RepositoryPlace find(
            @Nullable String option, Map<String, String> environment, Configuration settings, Path folder) {
        String variable = environment.get(VARIABLE);
        Optional<String> url = settings.repository().url();
        if (option != null) {
            return named(option, folder, "--repository");
        }
        if (variable != null && !variable.isBlank()) {
            return named(variable, folder, VARIABLE);
        }
        if (url.isPresent()) {
            return named(
                    url.get(),
                    settings.folder(),
                    settings.file().map(Path::toString).orElse("settings"));
        }
        return nearest(folder)
                .map(file -> new RepositoryPlace(file, "found"))
                .orElseGet(() -> new RepositoryPlace(
                        settings.folder().resolve(STATE_FOLDER).resolve(FILE), "default"));
    }

    private static RepositoryPlace named(String url, Path base, String origin) {
        if (url.startsWith("postgresql:") || url.startsWith("jdbc:postgresql:")) {
            throw new CommandFailure(
                    ExitCode.REPOSITORY,
                    "a repository on PostgreSQL (" + origin + ") is not supported by this version",
                    "name a SQLite file: sqlite:PATH");
        }
        String path = url.startsWith(SCHEME) ? url.substring(SCHEME.length()) : url;
        if (path.isBlank() || path.contains("://")) {
            throw new CommandFailure(
                    ExitCode.USAGE, "'" + url + "' (" + origin + ") names no repository", "write sqlite:PATH");
        }
        return new RepositoryPlace(base.resolve(path).toAbsolutePath().normalize(), origin);
    }

    private static Optional<Path> nearest(Path start) {
        for (Path folder = start; folder != null; folder = folder.getParent()) {
            Path file = folder.resolve(STATE_FOLDER).resolve(FILE);
            if (Files.isRegularFile(file)) {
                return Optional.of(file);
            }
        }
        return Optional.empty();
    }

    public boolean exists() {
        return Files.isRegularFile(file);
    }

    /** The folder for logs, locks and spilled data: the one the repository file stands in. */
    public Path stateFolder() {
        return Optional.ofNullable(file.getParent()).orElseThrow();
    }

    public Path logFolder() {
        return stateFolder().resolve("logs");
    }

    /** Makes the state folder, readable by its user alone. */
    public void create() throws IOException {
        Path folder = stateFolder();
        if (Files.isDirectory(folder)) {
            return;
        }
        if (folder.getParent() != null) {
            Files.createDirectories(folder.getParent());
        }
        if (folder.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            Files.createDirectory(
                    folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        } else {
            Files.createDirectory(folder);
        }
    }
}
