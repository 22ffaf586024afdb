package dev.weighlock.app.wiring;

import dev.weighlock.batch.jdbc.sqlite.SqliteRepository;
import dev.weighlock.batch.repository.JobRepository;

/** Opens the repository of a place. */
public final class Repositories {
    private Repositories() {}

    /** Opens the file, which is brought to this program's schema first. */
    public static JobRepository open(RepositoryPlace place) {
        return SqliteRepository.open(place.file());
    }
}
