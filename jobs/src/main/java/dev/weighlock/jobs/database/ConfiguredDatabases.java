package dev.weighlock.jobs.database;

import dev.weighlock.batch.FailureCategory;
import dev.weighlock.batch.jdbc.server.Server;
import dev.weighlock.batch.jdbc.target.Database;
import dev.weighlock.batch.jdbc.target.DatabaseSettings;
import dev.weighlock.jobs.StepFailure;
import dev.weighlock.jobs.config.Configuration;
import dev.weighlock.jobs.config.Configuration.Connection;
import dev.weighlock.jobs.config.SecretText;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The connections of the settings, each opened when it is first named. Thread-safe; the lock guards the map. Whoever
 * made it closes it, after the jobs that use it.
 */
public final class ConfiguredDatabases implements Databases, AutoCloseable {
    private static final String SQLITE = "sqlite:";

    private final Configuration configuration;
    private final Map<String, String> environment;
    private final Map<String, Database> open = new HashMap<>();

    /**
     * Opens nothing yet.
     *
     * @param environment where {@code env:NAME} is found
     */
    public ConfiguredDatabases(Configuration configuration, Map<String, String> environment) {
        this.configuration = configuration;
        this.environment = Map.copyOf(environment);
    }

    @Override
    public Database named(String connection) {
        synchronized (open) {
            return open.computeIfAbsent(connection, name -> Database.open(settings(name)));
        }
    }

    private DatabaseSettings settings(String name) {
        Connection connection = configuration.connections().get(name);
        if (connection == null) {
            throw new StepFailure(
                    FailureCategory.STEP_FAILED,
                    "there is no connection '%s'; add it under 'connections' in weighlock.yaml".formatted(name));
        }
        return new DatabaseSettings(
                name,
                url(connection),
                secret(connection.user()),
                secret(connection.password()),
                connection.tls().map(tls -> new Server.Tls(tls.mode(), tls.ca())),
                connection.createCheckpoint());
    }

    /** A SQLite file's relative path begins where the settings stand. */
    private String url(Connection connection) {
        String url = connection.url();
        if (!url.startsWith(SQLITE)) {
            return url;
        }
        Path file = configuration.folder().resolve(url.substring(SQLITE.length()));
        return SQLITE + file.normalize();
    }

    private Supplier<Optional<String>> secret(Optional<SecretText> text) {
        return () -> text.map(secret -> secret.read(environment));
    }

    @Override
    public void close() {
        synchronized (open) {
            open.values().forEach(Database::close);
            open.clear();
        }
    }
}
