package dev.weighlock.app.wiring;

import dev.weighlock.batch.jdbc.postgres.PostgresRepository;
import dev.weighlock.batch.jdbc.postgres.PostgresSchema;
import dev.weighlock.batch.jdbc.postgres.PostgresSettings;
import dev.weighlock.batch.jdbc.server.Server;
import dev.weighlock.batch.jdbc.sqlite.SqliteRepository;
import dev.weighlock.batch.jdbc.store.SchemaStatus;
import dev.weighlock.batch.repository.JobRepository;
import dev.weighlock.jobs.config.Configuration;
import dev.weighlock.jobs.config.SecretText;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Opens the repository of a workspace, and looks after its tables. */
public final class Repositories {
    private Repositories() {}

    /** A SQLite file is brought to this program's schema first; on PostgreSQL only a command does that. */
    public static JobRepository open(Workspace workspace) {
        return switch (workspace.repository()) {
            case RepositoryPlace.File place -> SqliteRepository.open(place.file());
            case RepositoryPlace.Database place -> PostgresRepository.open(settings(place, workspace));
        };
    }

    public static SchemaStatus schema(Workspace workspace) {
        return switch (workspace.repository()) {
            case RepositoryPlace.File place ->
                place.exists()
                        ? SqliteRepository.schema(place.file())
                        : new SchemaStatus.Uninitialised(SqliteRepository.SCHEMA_VERSION);
            case RepositoryPlace.Database place -> new PostgresSchema(settings(place, workspace)).status();
        };
    }

    /** Makes the tables or brings them forward; returns how many versions that were. */
    public static int migrate(Workspace workspace) {
        return switch (workspace.repository()) {
            case RepositoryPlace.File place -> SqliteRepository.migrate(place.file());
            case RepositoryPlace.Database place -> new PostgresSchema(settings(place, workspace)).migrate();
        };
    }

    static PostgresSettings settings(RepositoryPlace.Database place, Workspace workspace) {
        Configuration.Repository chosen = workspace.settings().repository();
        Map<String, String> environment = workspace.environment();
        Server server = new Server(
                place.url(),
                credential(chosen.user(), "PGUSER", environment),
                credential(chosen.password(), "PGPASSWORD", environment),
                chosen.tls().map(tls -> new Server.Tls(tls.mode(), tls.ca())));
        PostgresSettings settings =
                PostgresSettings.of(server).withPoolSize(chosen.pool()).withLease(chosen.heartbeat(), chosen.lease());
        return chosen.controlUrl()
                .map(url -> settings.withControlUrl(url.read(environment)))
                .orElse(settings);
    }

    /** Those of the settings, else the variable that every PostgreSQL program knows. */
    private static Supplier<Optional<String>> credential(
            Optional<SecretText> text, String variable, Map<String, String> environment) {
        return () ->
                text.map(secret -> secret.read(environment)).or(() -> Optional.ofNullable(environment.get(variable)));
    }
}
