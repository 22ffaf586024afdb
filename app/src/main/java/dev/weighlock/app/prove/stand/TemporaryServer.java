package dev.weighlock.app.prove.stand;

import dev.weighlock.app.exit.CommandFailure;
import dev.weighlock.app.exit.ExitCode;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Map;

/** A PostgreSQL server on the loopback interface, durable as a real one, whose data are gone when it is closed. */
final class TemporaryServer implements AutoCloseable {
    /** It takes this user without a password. */
    static final Map<String, String> ENVIRONMENT = Map.of("PGUSER", "postgres");

    private final EmbeddedPostgres server;

    private TemporaryServer(EmbeddedPostgres server) {
        this.server = server;
    }

    /**
     * Unpacks and starts the server that came with the program.
     *
     * @param folder private to this user and removed by the caller: for the program's files and the data
     * @throws CommandFailure FAILED where it does not start, with another way
     */
    static TemporaryServer start(Path folder) {
        try {
            return new TemporaryServer(EmbeddedPostgres.builder()
                    .setOverrideWorkingDirectory(folder.resolve("program").toFile())
                    .setDataDirectory(folder.resolve("data"))
                    .setServerConfig("fsync", "on")
                    .setServerConfig("synchronous_commit", "on")
                    .setServerConfig("full_page_writes", "on")
                    .start());
        } catch (IOException | RuntimeException e) {
            throw new CommandFailure(
                    ExitCode.FAILED,
                    "the temporary PostgreSQL server does not start here: " + e.getMessage(),
                    "name a database instead: --repository postgresql://HOST/DATABASE, or --repository sqlite:PATH",
                    e);
        }
    }

    String url() {
        return "postgresql://localhost:" + server.getPort() + "/postgres";
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException("the temporary PostgreSQL server does not end", e);
        }
    }
}
