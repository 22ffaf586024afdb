package dev.weighlock.app.prove.stand;

import dev.weighlock.app.wiring.RepositoryPlace;
import dev.weighlock.jobs.config.Configuration;
import java.nio.file.Path;
import java.util.Map;

/** Opens targets. The settings file is not asked: a campaign depends on nothing but its command line. */
public final class Targets {
    private Targets() {}

    /**
     * The database that somebody named.
     *
     * @param url {@code sqlite:PATH} or {@code postgresql://HOST/DATABASE}, which has its tables
     * @param environment for PGUSER and PGPASSWORD
     * @param current where a relative path begins
     * @param folder for the campaign's own files
     */
    public static Target named(String url, Map<String, String> environment, Path current, Path folder) {
        return switch (RepositoryPlace.find(url, Map.of(), Configuration.defaults(current), current)) {
            case RepositoryPlace.File place -> new FileTarget(place.file(), folder);
            case RepositoryPlace.Database place -> ServerTarget.named(place.url(), environment);
        };
    }

    /**
     * A PostgreSQL server of its own.
     *
     * @param folder for its files
     */
    public static Target temporary(Path folder) {
        return ServerTarget.temporary(TemporaryServer.start(folder));
    }
}
