package dev.weighlock.batch.jdbc.crash;

import dev.weighlock.batch.jdbc.postgres.PostgresRepository;
import dev.weighlock.batch.jdbc.postgres.PostgresSchema;
import dev.weighlock.batch.jdbc.postgres.PostgresSettings;
import dev.weighlock.batch.jdbc.sqlite.SqliteRepository;
import dev.weighlock.batch.repository.JobRepository;
import dev.weighlock.batch.testkit.EmbeddedDatabase;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;

/** Where the repository of a crash test is, as one word of a command line: the child opens it too. */
sealed interface CrashPlace {
    JobRepository open(Clock clock);

    default JobRepository open() {
        return open(Clock.systemUTC());
    }

    String word();

    static CrashPlace parse(String word) {
        var parts = word.split("\\|", -1);
        return parts.length == 1
                ? new Sqlite(Path.of(word))
                : new Postgres(
                        parts[0],
                        Path.of(parts[1]),
                        Duration.ofMillis(Long.parseLong(parts[2])),
                        Duration.ofMillis(Long.parseLong(parts[3])));
    }

    record Sqlite(Path file) implements CrashPlace {
        @Override
        public JobRepository open(Clock clock) {
            return SqliteRepository.open(file, clock, Duration.ofSeconds(10));
        }

        @Override
        public String word() {
            return file.toString();
        }
    }

    /** @param locks the folder of the nodes' lock files; two folders are two hosts to a node */
    record Postgres(String url, Path locks, Duration heartbeat, Duration lease) implements CrashPlace {
        /** A new database with the tables of a repository, and the usual lease. */
        static Postgres create(Path locks) throws SQLException {
            var place = new Postgres(
                    EmbeddedDatabase.url(EmbeddedDatabase.createDatabase()),
                    locks,
                    Duration.ofSeconds(5),
                    Duration.ofSeconds(30));
            new PostgresSchema(place.settings()).migrate();
            return place;
        }

        Postgres withLease(Duration beat, Duration leased) {
            return new Postgres(url, locks, beat, leased);
        }

        Postgres withLocks(Path folder) {
            return new Postgres(url, folder, heartbeat, lease);
        }

        Postgres withUrl(String other) {
            return new Postgres(other, locks, heartbeat, lease);
        }

        PostgresSettings settings() {
            return PostgresSettings.of(url, () -> Optional.of(EmbeddedDatabase.USER), () -> Optional.of("any"))
                    .withLease(heartbeat, lease)
                    .withLockFolder(locks);
        }

        @Override
        public PostgresRepository open(Clock clock) {
            return PostgresRepository.open(settings(), clock);
        }

        @Override
        public PostgresRepository open() {
            return open(Clock.systemUTC());
        }

        @Override
        public String word() {
            return String.join("|", url, locks.toString(), "" + heartbeat.toMillis(), "" + lease.toMillis());
        }
    }
}
