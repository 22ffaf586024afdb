package dev.weighlock.app.wiring;

import dev.weighlock.app.exit.CommandFailure;
import dev.weighlock.app.exit.ExitCode;
import dev.weighlock.batch.jdbc.server.Server;
import dev.weighlock.jobs.config.Configuration;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Where executions are recorded, and the state folder of this machine with logs, locks and spilled data. */
public sealed interface RepositoryPlace {
    String STATE_FOLDER = ".weighlock";
    String FILE = "repository.db";
    String VARIABLE = "WEIGHLOCK_REPOSITORY";

    /**
     * A SQLite file; the state folder is the one it stands in.
     *
     * @param file need not exist yet
     */
    record File(Path file, String origin) implements RepositoryPlace {
        @Override
        public String name() {
            return file.toString();
        }

        @Override
        public boolean exists() {
            return Files.isRegularFile(file);
        }

        @Override
        public Path stateFolder() {
            return Optional.ofNullable(file.getParent()).orElseThrow();
        }
    }

    /**
     * A PostgreSQL database. Whether it has the tables is found out when it is opened.
     *
     * @param url without credentials: those are in the settings or the environment
     */
    record Database(String url, Path stateFolder, String origin) implements RepositoryPlace {
        @Override
        public String name() {
            return url;
        }

        @Override
        public boolean exists() {
            return true;
        }
    }

    /** What people call it. */
    String name();

    /** Who said so, for people. */
    String origin();

    /** Whether there is something to look at. */
    boolean exists();

    Path stateFolder();

    default Path logFolder() {
        return stateFolder().resolve("logs");
    }

    /** The place that holds: option, then environment, then settings file, then the nearest one upwards, then a new one. */
    static RepositoryPlace find(
            @Nullable String option, Map<String, String> environment, Configuration settings, Path folder) {
        String variable = environment.get(VARIABLE);
        Optional<String> url = settings.repository().url();
        if (option != null) {
            return named(option, folder, settings, "--repository");
        }
        if (variable != null && !variable.isBlank()) {
            return named(variable, folder, settings, VARIABLE);
        }
        if (url.isPresent()) {
            String origin = settings.file().map(Path::toString).orElse("settings");
            return named(url.get(), settings.folder(), settings, origin);
        }
        return nearest(folder)
                .map(file -> new File(file, "found"))
                .orElseGet(
                        () -> new File(settings.folder().resolve(STATE_FOLDER).resolve(FILE), "default"));
    }

    private static RepositoryPlace named(String url, Path base, Configuration settings, String origin) {
        if (url.startsWith(Server.PREFIX)) {
            return new Database(
                    checked(url, origin),
                    settings.folder().resolve(STATE_FOLDER).toAbsolutePath(),
                    origin);
        }
        String scheme = "sqlite:";
        String path = url.startsWith(scheme) ? url.substring(scheme.length()) : url;
        if (path.isBlank() || path.contains("://")) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    "'" + url + "' (" + origin + ") names no repository",
                    "write sqlite:PATH or postgresql://HOST/DATABASE");
        }
        return new File(base.resolve(path).toAbsolutePath().normalize(), origin);
    }

    /** Credentials in a URL would be shown wherever the repository is named: the refusal does not repeat them. */
    private static String checked(String url, String origin) {
        String remedy =
                "write postgresql://HOST[:PORT]/DATABASE; user and password go into 'repository' of weighlock.yaml"
                        + " (env:NAME or file:PATH), or into PGUSER and PGPASSWORD";
        try {
            URI uri = new URI(url);
            boolean plain = uri.getRawUserInfo() == null && uri.getRawQuery() == null && uri.getRawFragment() == null;
            if (plain
                    && uri.getHost() != null
                    && uri.getPath() != null
                    && uri.getPath().length() > 1) {
                return url;
            }
        } catch (URISyntaxException malformed) {
            throw new CommandFailure(ExitCode.USAGE, "the repository's URL (" + origin + ") is malformed", remedy);
        }
        throw new CommandFailure(
                ExitCode.USAGE, "the repository's URL (" + origin + ") is no plain address of a database", remedy);
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

    /** Makes the state folder, readable by its user alone. */
    default void create() throws IOException {
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
