package dev.weighlock.bench.stop;

import dev.weighlock.batch.jdbc.postgres.PostgresRepository;
import dev.weighlock.batch.jdbc.postgres.PostgresSchema;
import dev.weighlock.batch.jdbc.postgres.PostgresSettings;
import dev.weighlock.batch.jdbc.sqlite.SqliteRepository;
import dev.weighlock.batch.repository.JobRepository;
import dev.weighlock.bench.postgres.Place;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** What two processes share: a repository, and a table of beats that is not in its way. */
sealed interface Ground {
    /** The caller closes it. */
    JobRepository open();

    /** A connection to the repository's database in auto-commit mode; the caller closes it. */
    Connection connect() throws SQLException;

    /** A connection to where the beats are, in auto-commit mode; the caller closes it. */
    Connection connectForBeats() throws SQLException;

    /** What stands before the names of the repository's tables. */
    String schema();

    /** What another process needs to know. */
    List<String> words();

    static Ground of(List<String> words) {
        return words.size() == 1
                ? new Sqlite(Path.of(words.getFirst()))
                : new Postgres(new Place(
                        words.get(0),
                        Integer.parseInt(words.get(1)),
                        Integer.parseInt(words.get(2)),
                        Path.of(words.get(3))));
    }

    /** A database of a server; beats wait for no disk. */
    record Postgres(Place place) implements Ground {
        @Override
        public JobRepository open() {
            PostgresSettings settings = PostgresSettings.of(
                            place.url(), () -> Optional.of(Place.USER), () -> Optional.of("any"))
                    .withPoolSize(place.pool())
                    .withLockFolder(place.locks());
            new PostgresSchema(settings).migrate();
            return PostgresRepository.open(settings);
        }

        @Override
        public Connection connect() throws SQLException {
            return DriverManager.getConnection("jdbc:" + place.url(), Place.USER, "any");
        }

        @Override
        public Connection connectForBeats() throws SQLException {
            Connection connection = connect();
            try (var statement = connection.createStatement()) {
                statement.execute("SET synchronous_commit = off");
            }
            return connection;
        }

        @Override
        public String schema() {
            return "weighlock.";
        }

        @Override
        public List<String> words() {
            return List.of(
                    place.database(),
                    Integer.toString(place.port()),
                    Integer.toString(place.pool()),
                    place.locks().toString());
        }
    }

    /** A file of a folder; the beats have a file of their own, for a write to the first would wake who watches it. */
    record Sqlite(Path folder) implements Ground {
        @Override
        public JobRepository open() {
            return SqliteRepository.open(folder.resolve("repository.db"));
        }

        @Override
        public Connection connect() throws SQLException {
            return DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("repository.db"));
        }

        @Override
        public Connection connectForBeats() throws SQLException {
            Connection connection = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("beats.db"));
            try (var statement = connection.createStatement()) {
                statement.execute("PRAGMA busy_timeout = 10000");
                statement.execute("PRAGMA journal_mode = WAL");
                statement.execute("PRAGMA synchronous = OFF");
            }
            return connection;
        }

        @Override
        public String schema() {
            return "";
        }

        @Override
        public List<String> words() {
            return List.of(folder.toString());
        }
    }
}
